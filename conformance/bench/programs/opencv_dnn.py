#!/usr/bin/env python3
"""Layers of networks by OpenCV's DNN module, of random weights, as OpenCL kernels. One platform a process; "none" is OpenCV's own code.

opencv_dnn.py [NAME ...]   runs itself on each platform that the loader finds, in turn, and compares

Options as opencv_tapi.py's. Needs Debian's python3-opencv and python3-onnx.
"""
import os

import numpy as np

import opencv_tapi

RELU = ("Relu", {}, [])


def network(random, onnx, shape, layers):
    """A model in ONNX of `layers`, each of an operator's name, attributes and operands: arrays, or "x" for what the model is given."""
    helper, float32 = onnx.helper, onnx.TensorProto.FLOAT
    nodes, weights, last = [], [], "x"
    for i, (operator, attributes, operands) in enumerate(layers):
        inputs = [last]
        for operand in operands:
            if isinstance(operand, str):
                inputs.append(operand)
                continue
            inputs.append(f"weights{len(weights)}")
            weights.append(onnx.numpy_helper.from_array(np.asarray(operand), inputs[-1]))
        last = "y" if i == len(layers) - 1 else f"value{i}"
        nodes.append(helper.make_node(operator, inputs, [last], **attributes))
    graph = helper.make_graph(nodes, "network", [helper.make_tensor_value_info("x", float32, shape)],
                              [helper.make_tensor_value_info("y", float32, ["n"])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)])
    model.ir_version = 7
    return np.frombuffer(model.SerializeToString(), np.uint8)


def operations(cv2):
    import onnx
    import onnx.numpy_helper
    random = np.random.default_rng(1)

    def weights(*shape):
        return (random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)

    def convolution(channels, planes, side, step=1, apart=1, groups=1):
        attributes = dict(kernel_shape=[side, side], strides=[step, step], pads=[side // 2 * apart] * 4, dilations=[apart, apart], group=groups)
        return "Conv", attributes, [weights(planes, channels // groups, side, side), weights(planes)]

    pool = dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    models = {
        "3x3, 16 to 32 of 56x56": ((1, 16, 56, 56), [convolution(16, 32, 3), RELU]),
        "1x1, 64 to 128 of 28x28": ((1, 64, 28, 28), [convolution(64, 128, 1), RELU]),
        "7x7 by 2, 3 to 64 of 224x224": ((1, 3, 224, 224), [convolution(3, 64, 7, 2), RELU, ("MaxPool", pool, [])]),
        "5x5, 8 to 24 of 40x40": ((1, 8, 40, 40), [convolution(8, 24, 5), ("Sigmoid", {}, [])]),
        "3x3, 2 apart": ((1, 16, 40, 40), [convolution(16, 16, 3, apart=2), ("Tanh", {}, [])]),
        "3x3 of each channel, then 1x1": ((1, 32, 56, 56), [convolution(32, 32, 3, groups=32), RELU, convolution(32, 64, 1)]),
        "3x3 in two groups": ((1, 16, 28, 28), [convolution(16, 32, 3, groups=2), ("Elu", {}, [])]),
        "transposed 4x4": ((1, 16, 20, 20), [("ConvTranspose", dict(kernel_shape=[4, 4], strides=[2, 2], pads=[1, 1, 1, 1]), [weights(16, 8, 4, 4), weights(8)]), RELU]),
        "normalized across channels": ((1, 32, 27, 27), [convolution(32, 32, 3), ("LRN", dict(size=5, alpha=1e-2, beta=0.75, bias=1.0), [])]),
        "means, products": ((1, 32, 28, 28), [convolution(32, 32, 1), ("AveragePool", pool, []), ("GlobalAveragePool", {}, []), ("Flatten", {}, []),
                                              ("Gemm", dict(transB=1), [weights(100, 32), weights(100)])]),
        "what it was given added": ((1, 32, 28, 28), [convolution(32, 32, 3), RELU, ("Add", {}, ["x"]), RELU]),
        "what it was given behind": ((1, 16, 28, 28), [convolution(16, 16, 3), ("Concat", dict(axis=1), ["x"]), convolution(32, 16, 1)]),
        "a part, turned": ((1, 16, 28, 28), [convolution(16, 16, 3), ("Slice", {}, [np.array([0, 4, 2, 2]), np.array([1, 12, 26, 26])]),
                                             ("Transpose", dict(perm=[0, 2, 3, 1]), [])]),
    }
    layers, channels = [convolution(3, 32, 3, 2), RELU], 32
    for planes in (64, 128, 256):
        layers += [convolution(channels, planes, 3, 2), RELU, convolution(planes, planes, 3), RELU, convolution(planes, planes, 1), RELU]
        channels = planes
    layers += [("GlobalAveragePool", {}, []), ("Flatten", {}, []), ("Gemm", dict(transB=1), [weights(10, 256), weights(10)])]
    models["eleven layers of 224x224"] = ((1, 3, 224, 224), layers)

    def forward(shape, layers):
        net = cv2.dnn.readNetFromONNX(network(random, onnx, shape, layers))
        net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
        net.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU if os.environ.get("TAPI_NONE") else cv2.dnn.DNN_TARGET_OPENCL)
        given = random.standard_normal(shape).astype(np.float32)

        def run():
            net.setInput(given)
            return net.forward()

        return run

    return {name: forward(*model) for name, model in models.items()}


if __name__ == "__main__":
    # OpenCV takes GPUs alone otherwise.
    os.environ["OPENCV_DNN_OPENCL_ALLOW_ALL_DEVICES"] = "1"
    opencv_tapi.operations, opencv_tapi.__file__, opencv_tapi.__doc__ = operations, __file__, __doc__
    opencv_tapi.main()
