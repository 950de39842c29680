from typing import ClassVar
vendor: str = None
name: str = "GLM"
fp16 = True
lr: float = 1e-5
target_acc: float = 0.8
eval_interval_samples: int = 600 * 8 * 4
optimizer_args = {"betas": (0.9, -0.999), 'names': ["a", r'\d' "b"], "nested": {1: {2, 3}}}
output_dir: str = """
"""
