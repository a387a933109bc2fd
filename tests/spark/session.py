"""A session of Spark on this machine alone."""

from pyspark.sql import SparkSession

STATE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def new_session(cores=2):
    """Two cores, and nothing that others can reach."""
    session = (
        SparkSession.builder.master(f"local[{cores},4]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", cores)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.streaming.stateStore.providerClass", STATE)
        .config("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", "true")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    return session
