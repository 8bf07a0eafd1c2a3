"""As much of NVIDIA's management library as the miniature trees use."""

import os


def nvmlInit():
    pass


def nvmlShutdown():
    pass


def nvmlDeviceGetCount():
    return 1


def nvmlDeviceGetHandleByIndex(index):
    return index


def nvmlDeviceGetCudaComputeCapability(handle):
    return [int(part) for part in os.environ["MINI_CAPABILITY"].split(".")]
