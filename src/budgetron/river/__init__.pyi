# Written by scripts/river_types.py.

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

from ..core.triggers import ZeroScore
from .classifier import KernelLearner, StreamLearner

__all__ = [
    "AdaptiveSecondOrderPerceptron",
    "Ahpatron",
    "BudgetPerceptron",
    "BudgetedGradientDescent",
    "BudgetedPassiveAggressive",
    "Budgetron",
    "DriftingThreshold",
    "ExponentialDecayPerceptron",
    "Forgetron",
    "FourierGradientDescent",
    "LeastRecentBudgetPerceptron",
    "LeastRecentBudgetSecondOrderPerceptron",
    "ModifiedPerceptron",
    "Norma",
    "NystromGradientDescent",
    "PassiveAggressive",
    "PassiveAggressiveI",
    "PassiveAggressiveII",
    "Perceptron",
    "Projectron",
    "ProjectronPlusPlus",
    "PseudoinverseSecondOrderPerceptron",
    "RandomizedBudgetPerceptron",
    "RandomizedBudgetSecondOrderPerceptron",
    "RestartingExperts",
    "SecondOrderPerceptron",
    "ShiftingPerceptron",
    "Stoptron",
]

@dataclass(eq=False, repr=False)
class AdaptiveSecondOrderPerceptron(KernelLearner):
    c: float = 1.0
    radius: float = 1.0
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class Ahpatron(KernelLearner):
    budget: int = 100
    margin: float = 0.5
    norm_bound: float | None = None
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class BudgetPerceptron(KernelLearner):
    budget: int = 100
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class BudgetedGradientDescent(KernelLearner):
    budget: int = 100
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    step: float = 0.5
    regularization: float | None = None
    bound: float = 1.0
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class BudgetedPassiveAggressive(KernelLearner):
    budget: int = 100
    C: float = 1.0
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class Budgetron(KernelLearner):
    budget: int = 100
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "auto"
    degree: int = 3
    coef0: float | Literal["auto"] = "auto"
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["shared"] = "shared"
    noise: float = 0.3
    bold_noise: float = 0.03
    drift: float = 0.002
    sharing: float = 0.0001
    exchange: Literal["careful", "eager", "never"] = "careful"
    experts: str | tuple[str, ...] = "all"
    patience: float | None = 20.0
    scale: Literal["auto", "off"] = "auto"
    missing: Literal["error", "center"] = "error"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class DriftingThreshold(StreamLearner):
    gamma: float = 0.01
    feature: Any = None

@dataclass(eq=False, repr=False)
class ExponentialDecayPerceptron(KernelLearner):
    decay: float = 0.01
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class Forgetron(KernelLearner):
    budget: int = 100
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "mistake"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class FourierGradientDescent(KernelLearner):
    budget: int = 100
    step: float = 0.2
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class LeastRecentBudgetPerceptron(KernelLearner):
    budget: int = 100
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class LeastRecentBudgetSecondOrderPerceptron(KernelLearner):
    budget: int = 100
    a: float = 1.0
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class ModifiedPerceptron(KernelLearner):
    budget: int | None = None
    evict: Literal["random", "oldest"] = "random"
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class Norma(KernelLearner):
    budget: int = 100
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    step: float = 0.5
    regularization: float | None = None
    margin: float = 1.0
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class NystromGradientDescent(KernelLearner):
    budget: int = 100
    rank: int | None = None
    step: float = 0.2
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class PassiveAggressive(KernelLearner):
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class PassiveAggressiveI(KernelLearner):
    C: float = 1.0
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class PassiveAggressiveII(KernelLearner):
    C: float = 1.0
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class Perceptron(KernelLearner):
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class Projectron(KernelLearner):
    norm_bound: float | None = None
    eta: float | None = None
    budget: int | None = None
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "mistake"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class ProjectronPlusPlus(KernelLearner):
    norm_bound: float | None = None
    eta: float | None = None
    budget: int | None = None
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "mistake"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class PseudoinverseSecondOrderPerceptron(KernelLearner):
    _: KW_ONLY
    kernel: Any = "linear"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class RandomizedBudgetPerceptron(KernelLearner):
    budget: int = 100
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class RandomizedBudgetSecondOrderPerceptron(KernelLearner):
    budget: int = 100
    a: float = 1.0
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class RestartingExperts(StreamLearner):
    experts: Any = None
    restart_every: int | None = None
    drift_rate: float | None = None
    setting: Literal["unrealizable", "realizable"] = "unrealizable"
    _: KW_ONLY
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class SecondOrderPerceptron(KernelLearner):
    a: float = 1.0
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class ShiftingPerceptron(KernelLearner):
    decay: float = 0.1
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None

@dataclass(eq=False, repr=False)
class Stoptron(KernelLearner):
    budget: int = 100
    _: KW_ONLY
    kernel: Any = "rbf"
    gamma: float | Literal["scale", "auto"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    dtype: Literal["float64", "float32"] = "float64"
    class_weight: Any = None
    probability: bool = False
    multi_class: Literal["one_vs_rest", "single_machine", "shared"] = "one_vs_rest"
    average: bool = False
    max_features: int = 65536
    seed: int | None = None
