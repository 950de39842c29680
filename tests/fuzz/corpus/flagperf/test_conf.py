'''Test Configs, including'''
# -*-coding:utf-8 -*-
VENDOR = "nvidia"
ACCE_CONTAINER_OPT = " --gpus all"
ACCE_VISIBLE_DEVICE_ENV_NAME = "CUDA_VISIBLE_DEVICES"
FLAGPERF_PATH = "/opt/FlagPerf/training"
FLAGPERF_LOG_PATH = FLAGPERF_PATH + "/result/"
CLEAR_CACHES = True
CASES = {
    #"bert:pytorch_1.8:A100:1:8:1": "/data/bert/train/",
    "glm:pytorch_1.8:A100:1:8:1": "/data/glm/train/",
    "llama1_7B:paddle_2.5.1:TP1PP1SH2SP8A10040G:2:8:3": '/data/llama/'
}
