# What is run: the vendor of the devices, and the cases.
VENDOR = "nvidia"
ACCE_CONTAINER_OPT = " --gpus all"
ACCE_VISIBLE_DEVICE_ENV_NAME = "CUDA_VISIBLE_DEVICES"
FLAGPERF_PATH = "/srv/flagperf/training"
FLAGPERF_LOG_PATH = FLAGPERF_PATH + "/result/"

# "MODEL:FRAMEWORK:HARDWARE:NODES:DEVICES:REPEAT": "folder of the data"
CASES = {
    "glm:pytorch:A100:1:1:1": "data/glm",
    "glm:pytorch:A100:1:2:1": "data/glm",
}
