// Search runs in a worker, and browsers start none for a page that is opened from disk.
// There it runs in a hidden frame instead, which takes and answers the same messages.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const element = frame.contentDocument.createElement("script");
      element.src = script;
      this.ready = new Promise((resolve) => element.addEventListener("load", resolve));
      frame.contentDocument.body.append(element);
    }

    async postMessage(data) {
      await this.ready;
      this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
