#!/usr/bin/env python3
"""OpenCV's T-API: operations on UMat, as OpenCL kernels. One platform a process: OPENCV_OPENCL_DEVICE="NAME:CPU:".

tapi.py --measure FILE     measures here, writes first call and shortest (ms) and a result's checksum
tapi.py                    runs itself on each platform that the loader finds, in turn, and compares
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

SIDE = 1024


def operations(cv2):
    random = np.random.default_rng(1)
    bytes1 = random.integers(0, 256, (SIDE, SIDE), dtype=np.uint8)
    bytes3 = random.integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)
    bytes4 = random.integers(0, 256, (SIDE, SIDE, 4), dtype=np.uint8)
    floats = random.random((SIDE, SIDE), dtype=np.float32)
    smooth = cv2.GaussianBlur(bytes1, (15, 15), 4)
    b1, b3, b4, f1, s1 = (cv2.UMat(a) for a in (bytes1, bytes3, bytes4, floats, smooth))
    b1b = cv2.UMat(bytes1[::-1].copy())
    f1b = cv2.UMat(floats[::-1].copy())
    f3 = cv2.UMat(bytes3.astype(np.float32) / 255)
    some = cv2.UMat((random.integers(0, 3, (SIDE, SIDE)) > 0).astype(np.uint8) * 255)
    kernel = random.random((5, 5)).astype(np.float32)
    kernel /= kernel.sum()
    turn = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), 20, 1.1)
    perspective = np.array([[1, .1, 3], [.05, 1, 2], [1e-5, 2e-5, 1]])
    table = cv2.UMat(np.arange(255, -1, -1, dtype=np.uint8))
    xs, ys = np.meshgrid(np.arange(SIDE, dtype=np.float32), np.arange(SIDE, dtype=np.float32))
    mapx, mapy = cv2.UMat((xs + 3 * np.sin(ys / 20)).astype(np.float32)), cv2.UMat((ys + 3 * np.cos(xs / 20)).astype(np.float32))
    patch = cv2.UMat(bytes1[100:116, 200:216].copy())
    element = cv2.getStructuringElement(cv2.MORPH_RECT, (5, 5))
    # pyrLK and Farneback want smooth pictures
    moved = cv2.UMat(np.roll(smooth, 2, 1))
    drawn = np.zeros((SIDE, SIDE), np.uint8)
    for x0, y0, x1, y1 in random.integers(0, SIDE, (100, 4)).tolist():
        cv2.line(drawn, (x0, y0), (x1, y1), 255)
    edges = cv2.UMat(drawn)
    corners = cv2.UMat(cv2.goodFeaturesToTrack(smooth, 200, 0.01, 8))
    return {
        "cvtColor BGR2GRAY": lambda: cv2.cvtColor(b3, cv2.COLOR_BGR2GRAY),
        "cvtColor BGR2HSV": lambda: cv2.cvtColor(b3, cv2.COLOR_BGR2HSV),
        "cvtColor BGR2YCrCb": lambda: cv2.cvtColor(b3, cv2.COLOR_BGR2YCrCb),
        "cvtColor BGR2Lab": lambda: cv2.cvtColor(b3, cv2.COLOR_BGR2Lab),
        "resize half, area": lambda: cv2.resize(b3, (SIDE // 2, SIDE // 2), interpolation=cv2.INTER_AREA),
        "resize 700, linear": lambda: cv2.resize(b1, (700, 700)),
        "resize 1500, linear BGR": lambda: cv2.resize(b3, (1500, 1500)),
        "resize 1500, cubic": lambda: cv2.resize(b1, (1500, 1500), interpolation=cv2.INTER_CUBIC),
        "resize nearest": lambda: cv2.resize(b4, (700, 700), interpolation=cv2.INTER_NEAREST),
        "filter2D 5x5": lambda: cv2.filter2D(b1, -1, kernel),
        "filter2D 5x5 floats": lambda: cv2.filter2D(f1, -1, kernel),
        "filter2D 5x5 BGRA": lambda: cv2.filter2D(b4, -1, kernel),
        "GaussianBlur 5": lambda: cv2.GaussianBlur(b1, (5, 5), 0),
        "GaussianBlur 3 BGR": lambda: cv2.GaussianBlur(b3, (3, 3), 0),
        "GaussianBlur 15 floats": lambda: cv2.GaussianBlur(f1, (15, 15), 0),
        "blur 7": lambda: cv2.blur(b1, (7, 7)),
        "boxFilter 3 BGRA": lambda: cv2.boxFilter(b4, -1, (3, 3)),
        "medianBlur 3": lambda: cv2.medianBlur(b1, 3),
        "medianBlur 5": lambda: cv2.medianBlur(b1, 5),
        "bilateral 5": lambda: cv2.bilateralFilter(b1, 5, 30, 30),
        "Sobel": lambda: cv2.Sobel(b1, cv2.CV_16S, 1, 0),
        "Scharr floats": lambda: cv2.Scharr(f1, -1, 0, 1),
        "Laplacian": lambda: cv2.Laplacian(b1, cv2.CV_16S, ksize=3),
        "Canny": lambda: cv2.Canny(s1, 40, 90),
        "erode 5": lambda: cv2.erode(b1, element),
        "dilate 3 BGR": lambda: cv2.dilate(b3, None),
        "morphology open": lambda: cv2.morphologyEx(b1, cv2.MORPH_OPEN, element),
        "warpAffine linear": lambda: cv2.warpAffine(b1, turn, (SIDE, SIDE)),
        "warpAffine cubic BGR": lambda: cv2.warpAffine(b3, turn, (SIDE, SIDE), flags=cv2.INTER_CUBIC),
        "warpPerspective": lambda: cv2.warpPerspective(b4, perspective, (SIDE, SIDE)),
        "remap": lambda: cv2.remap(b1, mapx, mapy, cv2.INTER_LINEAR),
        "pyrDown": lambda: cv2.pyrDown(b1),
        "pyrUp": lambda: cv2.pyrUp(b1),
        "matchTemplate": lambda: cv2.matchTemplate(b1, patch, cv2.TM_CCORR_NORMED),
        "matchTemplate sqdiff": lambda: cv2.matchTemplate(b1, patch, cv2.TM_SQDIFF),
        "cornerHarris": lambda: cv2.cornerHarris(b1, 3, 3, 0.04),
        "goodFeatures": lambda: cv2.goodFeaturesToTrack(s1, 100, 0.01, 10),
        "integral": lambda: cv2.integral(b1),
        "threshold": lambda: cv2.threshold(b1, 100, 255, cv2.THRESH_BINARY)[1],
        "adaptive threshold": lambda: cv2.adaptiveThreshold(b1, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 7, 3),
        "equalizeHist": lambda: cv2.equalizeHist(b1),
        "CLAHE": lambda: cv2.createCLAHE(2.0, (8, 8)).apply(b1),
        "calcHist": lambda: cv2.calcHist([b1], [0], None, [256], [0, 256]),
        "LUT": lambda: cv2.LUT(b1, table),
        "add": lambda: cv2.add(b1, b1b),
        "addWeighted": lambda: cv2.addWeighted(b1, 0.3, b1b, 0.7, 5),
        "multiply floats": lambda: cv2.multiply(f1, f1b),
        "absdiff": lambda: cv2.absdiff(b3, b3),
        "bitwise_not": lambda: cv2.bitwise_not(b1),
        "compare": lambda: cv2.compare(b1, b1b, cv2.CMP_GT),
        "inRange": lambda: cv2.inRange(b3, (20, 20, 20), (200, 200, 200)),
        "convertScaleAbs": lambda: cv2.convertScaleAbs(f1, alpha=255),
        "magnitude": lambda: cv2.magnitude(f1, f1b),
        "cartToPolar": lambda: cv2.cartToPolar(f1, f1b)[1],
        "exp": lambda: cv2.exp(f1),
        "pow": lambda: cv2.pow(f1, 2.5),
        "sqrt": lambda: cv2.sqrt(f1),
        "transpose": lambda: cv2.transpose(b1),
        "flip": lambda: cv2.flip(b3, 1),
        "flip rows": lambda: cv2.flip(b3, 0),
        "flip floats": lambda: cv2.flip(f1, 1),
        "rotate 180": lambda: cv2.rotate(b3, cv2.ROTATE_180),
        "add colour": lambda: cv2.add(b3, (10, 20, 30, 0)),
        "add number": lambda: cv2.add(b1, 10.0),
        "divide floats": lambda: cv2.divide(f1, f1b),
        "and under a mask": lambda: cv2.bitwise_and(b3, b3, mask=some),
        "extractChannel": lambda: cv2.extractChannel(b3, 1),
        "insertChannel": lambda: cv2.insertChannel(b1, b3, 1),
        "split": lambda: cv2.split(b3)[1],
        "merge": lambda: cv2.merge([b1, b1b, b1]),
        "copyMakeBorder": lambda: cv2.copyMakeBorder(b1, 8, 8, 8, 8, cv2.BORDER_REFLECT),
        "repeat": lambda: cv2.repeat(b1, 2, 2),
        "sum": lambda: cv2.sumElems(b3),
        "mean": lambda: cv2.meanStdDev(b1),
        "minMaxLoc": lambda: cv2.minMaxLoc(b1),
        "norm": lambda: cv2.norm(f1, f1b, cv2.NORM_L2),
        "countNonZero": lambda: cv2.countNonZero(b1),
        "cvtColor BGR2GRAY, floats": lambda: cv2.cvtColor(f3, cv2.COLOR_BGR2GRAY),
        "cvtColor BGR2YUV, floats": lambda: cv2.cvtColor(f3, cv2.COLOR_BGR2YUV),
        "reduce, greatest of rows": lambda: cv2.reduce(b1, 1, cv2.REDUCE_MAX),
        "reduce": lambda: cv2.reduce(b1, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S),
        "normalize": lambda: cv2.normalize(f1, None, 0, 255, cv2.NORM_MINMAX),
        "gemm": lambda: cv2.gemm(f1, f1b, 1, None, 0),
        "dft": lambda: cv2.dft(f1, flags=cv2.DFT_COMPLEX_OUTPUT),
        "distance LK": lambda: cv2.calcOpticalFlowFarneback(s1, moved, None, 0.5, 2, 11, 2, 5, 1.1, 0),
        "accumulateWeighted": lambda: cv2.accumulateWeighted(b1, f1b, 0.1),
        "MOG2": mog(cv2, b1),
        "Hough, lines": lambda: count(cv2, cv2.HoughLines(edges, 1, np.pi / 180, 100)),
        "Hough, pieces of lines": lambda: count(cv2, cv2.HoughLinesP(edges, 1, np.pi / 180, 40, None, 10, 5)),
        "flow of points": lambda: cv2.calcOpticalFlowPyrLK(s1, moved, corners, None)[0],
        "flow by patches": lambda: cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM).calc(s1, moved, None),
        "ORB": lambda: len(cv2.ORB_create(500).detectAndCompute(s1, None)[0]),
        "filter2D 11x11": lambda: cv2.filter2D(b1, cv2.CV_32F, np.ones((11, 11), np.float32)),
        "denoise": lambda: cv2.fastNlMeansDenoising(cv2.UMat(bytes1[:256, :256].copy()), None, 10, 5, 11),
    }


def mog(cv2, frame):
    model = []
    def work():
        if not model:
            model.append(cv2.createBackgroundSubtractorMOG2())
        return model[0].apply(frame)
    return work


def count(cv2, found):
    """Of what comes in any order."""
    array = found.get() if isinstance(found, cv2.UMat) else found
    return 0 if array is None else len(array)


def value(cv2, result):
    if isinstance(result, cv2.UMat):
        result = result.get()
    if isinstance(result, (tuple, list)):
        return [value(cv2, r) for r in result]
    if isinstance(result, np.ndarray):
        flat = result.astype(np.float64).ravel()
        finite = flat[np.isfinite(flat)]
        return [float(finite.sum()), float(np.abs(finite).sum()), float((finite * (np.arange(finite.size) % 97)).sum())]
    return float(result) if result is not None else 0.0


def measure(file, rounds, seconds, names):
    import cv2
    cv2.ocl.setUseOpenCL(True)
    if not cv2.ocl.useOpenCL():
        sys.exit("OpenCV finds no OpenCL device")
    if os.environ.get("TAPI_NONE"):
        cv2.ocl.setUseOpenCL(False)
    results = {}
    for name, work in operations(cv2).items():
        if names and not any(n in name for n in names):
            continue
        print(name, file=sys.stderr, end="\n" if os.environ.get("TAPI_TRACE") else "\r", flush=True)
        start = time.perf_counter()
        try:
            result = work()
            cv2.ocl.finish()
            first = time.perf_counter() - start
            checked = value(cv2, result)
            least = float("inf")
            begin = time.perf_counter()
            for _ in range(rounds):
                start = time.perf_counter()
                work()
                cv2.ocl.finish()
                least = min(least, time.perf_counter() - start)
                if time.perf_counter() - begin > seconds:
                    break
            results[name] = [first * 1e3, least * 1e3, checked]
        except cv2.error as error:
            results[name] = [0, 0, str(error)[:200]]
    with open(file, "w") as out:
        json.dump(results, out)


def flat(values):
    return [v for part in values for v in flat(part)] if isinstance(values, list) else [values]


def close(a, b):
    a, b = flat(a), flat(b)
    if len(a) != len(b) or any(isinstance(x, str) for x in a + b):
        return False
    return all(abs(x - y) <= 1e-3 * max(abs(x), abs(y)) + 1e-4 for x, y in zip(a, b))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.5, help="after which an operation has no further round")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--platforms", default="Weft,Intel,Portable,none")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.measure:
        return measure(arguments.measure, arguments.rounds, arguments.seconds, arguments.names)
    platforms = arguments.platforms.split(",")
    best = {}
    for _ in range(arguments.runs):
        for platform in platforms:
            with tempfile.TemporaryDirectory() as folder:
                device = {"Weft": "Weft:CPU:", "Intel": "Intel(R) OpenCL:CPU:",
                    "Portable": "Portable Computing Language:CPU:"}.get(platform, ":CPU:")
                environment = dict(os.environ, OPENCV_OPENCL_DEVICE=device, OPENCV_OPENCL_CACHE_DIR=folder, XDG_CACHE_HOME=folder,
                    WEFT_CACHE_DIR=folder + "/w", POCL_CACHE_DIR=folder + "/p")
                if platform == "none":
                    environment["TAPI_NONE"] = "1"
                file = folder + "/out.json"
                done = subprocess.run([sys.executable, __file__, "--measure", file, "--rounds",
                    str(arguments.rounds), "--seconds", str(arguments.seconds)] + arguments.names, env=environment)
                if done.returncode or not os.path.exists(file):
                    print(f"{platform} ends with {done.returncode}")
                    continue
                with open(file) as text:
                    for name, (first, least, checked) in json.load(text).items():
                        known = best.setdefault(name, {}).setdefault(platform, [first, least, checked])
                        known[0], known[1] = min(known[0], first), min(known[1], least)
    print(f"{'ms: first call, shortest':28}" + "".join(f"{p:>22}" for p in platforms))
    ratios = []
    for name, by in best.items():
        line = f"{name:28}"
        for p in platforms:
            if p not in by:
                line += f"{'-':>22}"
                continue
            first, least, checked = by[p]
            same = "none" not in by or close(checked, by["none"][2])
            line += f"{first:11.1f}{least:10.3f}{' ' if same else '*'}"
        peers = [by[p][1] for p in platforms[1:] if p != "none" and p in by]
        firsts = [by[p][0] for p in platforms[1:] if p != "none" and p in by]
        if peers and platforms[0] in by and by[platforms[0]][1]:
            ratios.append(min(peers) / by[platforms[0]][1])
            line += f"{ratios[-1]:8.2f}{min(firsts) / by[platforms[0]][0]:8.2f}"
        print(line)
    if ratios:
        print(f"geometric mean {np.exp(np.mean(np.log(ratios))):.2f}")


if __name__ == "__main__":
    main()
