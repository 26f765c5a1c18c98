"""The report's page in headless Chromium: every tab, hover, keys, search, without an error on the console; light and dark, wide and narrow.

    page_test.py WEFTPROF [--pictures FOLDER]
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import browser
except ImportError as missing:
    print(f"skipped: {missing} (python3-websocket)")
    sys.exit(77)
import advice_cases

HERE = pathlib.Path(__file__).parent
WEFTPROF = sys.argv[1]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
EVIL = "// </script><script>window.broken = 1</script><img src=x onerror='window.broken = 1'> {{DATA}} <!--"


def make_report(folder, first_line, more=()):
    specs = list(more)
    for name in ("uncoalesced", "bank_conflicts", "divergence", "redundant_reads", "double_literal"):
        spec = advice_cases.CASES[name][0]
        specs.append(dict(spec, kernel=name, source=f"{first_line}\n" + spec["source"].replace("void k(", f"void {name}("), times=2, transfers=True))
    (folder / "kernels.json").write_text(json.dumps(specs))
    shutil.copy(HERE / "run_kernel.py", folder)
    page = folder / "page.html"
    subprocess.run([WEFTPROF, "-q", "-o", page, "/usr/bin/python3", "run_kernel.py", "kernels.json"], check=True, cwd=folder)
    return page


def make_large_record(file, launches=10000, kernels=50):
    """As the platform writes it (docs/weftprof.md)."""
    names = ["global_load.requests", "global_load.transactions", "global_load.fewest", "global_load.requested_bytes", "global_load.transferred_bytes",
             "warp_memory", "lane_memory", "lane_predicated_on", "warps", "groups"]
    lines = [dict(weft_record=4, sums=names, costs=["transactions", "fewest"], process=1, command_line=["./large"], capability="9.0", device="a processor", workers=2, time=1700000000, start_ns=1),
             dict(queue=1, in_order=True, profiled=False), dict(queue=2, in_order=False, profiled=False)]
    for k in range(1, kernels + 1):
        source = f"// {k}\n" + "".join(f"  a[{i}] = b[{i}] * {i}.0f;\n" for i in range(200))
        lines.append(dict(program=k, source=source, has_source=True, options=""))
        lines.append(dict(kernel=k, name=f"kernel_{k}", program=k, registers=20, arguments=2))
        lines.append(dict(shape=k, kernel=k, resources=dict(group_items=256, item_registers=20, local_bytes=0, argument_bytes=16), total=[8, 9],
                          lines=[dict(file="<program source>", line=i, sums=list(range(8))) for i in range(2, 60)],
                          sites=[dict(line=i, space="global", kind="load", width=4) for i in range(58)]))
        lines.extend([0, 0, k * 100 + i, k, i - 2, 2**32 - 1, 8, 4, *range(0, 256, 8)] for i in range(2, 60))
        sums = [100, 12] + 58 * [100, 800, 400, 12800, 25600, 100, 3200, 3200]
        accesses = [k * 100 + i for i in range(2, 60)]
        lines.append([0, k, k, 0, len(accesses), *accesses, *(number for pair in enumerate(sums) for number in pair)])
    at = 1000
    for n in range(launches):
        lines.append(dict(command="kernel", number=n + 1, queue=1 + n % 2, kernel=1 + n % kernels, global_size=[1024 + n % 7 * 32], local_size=[32]))
        lines.append([n + 1, at, at + 10, at + 100, at + 5000, 1 + n % kernels])
        at += 6000
    file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def visible(page, selector):
    return page(f"[...document.querySelectorAll({json.dumps(selector)})].filter(e => e.offsetParent !== null).length")


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def look_at_everything(page, file):
    page.open(file)
    expect(page("window.broken") is None, "a program's text became markup")
    expect(visible(page, "#panel-overview .finding") > 0, "no findings on the overview")
    expect(visible(page, "#panel-overview .bars rect") >= 5, "no bars")
    for tab in ("timeline", "kernels", "source", "advice", "overview"):
        page.click(f"#tab-{tab}")
        expect(visible(page, f"#panel-{tab}") == 1 and visible(page, "main > section") == 1, f"tab {tab}")
    page.key("2")
    expect(visible(page, "#timeline") == 1, "key 2")

    # Hovering over the first kernel of the timeline, by its keys, then zoom.
    page("document.getElementById('timeline').focus()")
    page.key("n")
    expect("(kernel)" in page("document.getElementById('timeline-chosen').textContent") or page("document.getElementById('timeline-chosen').textContent") != "", "N chooses nothing")
    x, y, width = page("(() => { const r = document.getElementById('timeline').getBoundingClientRect(); return [r.x, r.y, r.width]; })()")
    hovered = False
    for row in range(5):
        for at in range(0, int(width), 3):
            page.mouse(x + at, y + 4 + 26 + row * 58)
            if page("!document.getElementById('tooltip').hidden"):
                hovered = "(kernel)" in page("document.getElementById('tooltip').textContent")
                break
        if hovered:
            break
    expect(hovered, "hovering over the timeline shows no kernel")
    before = page("document.querySelector('.axis').textContent")
    page.key("+")
    expect(page("document.querySelector('.axis').textContent") != before, "+ does not zoom")
    page.key("0")
    page.mouse(x + width / 2, y + 20, "mouseWheel", deltaX=0, deltaY=-240)
    time.sleep(0.3)
    expect(page("document.querySelector('.axis').textContent") != before, "the wheel does not zoom")

    # Sorting, and from a kernel to its source.
    page.click("#tab-kernels")
    first = page("document.querySelector('#kernel-rows td').textContent")
    page.click("#panel-kernels th:first-child button")
    page.click("#panel-kernels th:first-child button")
    expect(page("document.querySelector('#kernel-rows td').textContent") == "uncoalesced", f"sorting by name, {first}")
    page.click("#kernel-rows tr:first-child button")
    expect(visible(page, "#panel-source") == 1 and visible(page, "table.source tr") > 3, "a kernel's link does not open its source")
    expect(page("document.querySelector('table.source').textContent").find("a[x * 1024 + y]") >= 0, "the source's text")
    page.click(".warp-button")
    expect(visible(page, ".warp svg") >= 1 and visible(page, ".warp svg line") >= 32, "no picture of a warp")
    x, y = page("(() => { const r = document.querySelector('tr[style] td.text').getBoundingClientRect(); return [r.x + 30, r.y + 5]; })()")
    page.mouse(x, y)
    expect("gst_" in page("document.getElementById('tooltip').textContent") or "inst_executed" in page("document.getElementById('tooltip').textContent"), "hovering over a line")

    # Search, by its key.
    page.click("#tab-advice")
    everything = visible(page, "#panel-advice .finding")
    page("document.activeElement.blur()")
    page.key("/")
    page.call("Input.insertText", text="local memory")
    some = visible(page, "#panel-advice .finding")
    expect(0 < some < everything, f"search: {some} of {everything}")
    page.click("#panel-advice .finding:not([hidden]) .link")
    expect(visible(page, "#panel-source tr.chosen") == 1, "a finding's link")

    # Arrow keys along the tabs.
    page("document.getElementById('tab-overview').click(); document.getElementById('tab-overview').focus()")
    page.key("ArrowRight")
    expect(visible(page, "#panel-timeline") == 1, "the right arrow")
    for width, dark in ((1280, True), (390, False), (390, True)):
        page.open(file, width, 844 if width < 600 else 800, dark)
        expect(page("document.documentElement.scrollWidth <= innerWidth + 1"), f"wider than a screen of {width}")
        for tab in ("timeline", "kernels", "source", "advice"):
            page.click(f"#tab-{tab}")
            expect(page("document.documentElement.scrollWidth <= innerWidth + 1"), f"{tab} is wider than a screen of {width}")
        # A line's counters are on the screen with it.
        page.click("#tab-source")
        seen = page("[...document.querySelectorAll('table.source td[data-name]')].filter(e => e.textContent && e.offsetParent).map(e => e.getBoundingClientRect().right)")
        expect(len(seen) > 4 and max(seen) <= width, f"counters beyond a screen of {width}: {seen}")
    ground = page("getComputedStyle(document.body).backgroundColor")
    page.open(file, 1280, 800, False)
    expect(page("getComputedStyle(document.body).backgroundColor") != ground, "dark is light")


def guides_kernels():
    """A product whose loads are apart, and a reduction whose lanes part."""
    product = dict(source=(HERE.parent.parent / "conformance" / "guides" / "kernels" / "multiply_aat.cl").read_text(), kernel="aat_plain", local=[32, 8, 1],
                   options="-cl-mad-enable -D TILE_DIM=32 -D PAD=0", arguments=[["buffer", 32 * 512], ["buffer", 512 * 512], ["int", 512]], **{"global": [512, 512, 1]})
    return [product, advice_cases.REDUCTIONS["modulo"]]


# Name, of which finding the source is shown (or a tab), by which kernel.
PICTURES_OF = (("source", "bank_conflicts", "bank_conflicts"), ("multiply", "uncoalesced", "aat_plain"), ("reduction", "divergence", "reduce"),
               ("overview", None, None), ("timeline", None, None), ("kernels", None, None), ("advice", None, None))


def take_pictures(page, file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for what, finding, kernel in PICTURES_OF:
        for name, width, height, dark in (("light", 1280, 900, False), ("dark", 1280, 900, True), ("phone-light", 390, 844, False), ("phone-dark", 390, 844, True)):
            page.open(file, width, height, dark)
            if finding:
                page(f"(() => {{ const f = data.findings.find(one => one.id === '{finding}' && one.kernel >= 0 && data.kernels[one.kernel].name === '{kernel}');"
                     " openSource(f.kernel, f.line, f.file); })()")
            else:
                page(f"document.getElementById('tab-{what}').click()")
            time.sleep(0.4)
            page.picture(folder / f"weftprof-{what}-{name}.png")


def main():
    if not browser.find():
        print("skipped: no Chromium")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = make_report(folder, EVIL)
        page = browser.Browser()
        try:
            look_at_everything(page, file)
            expect(not page.complaints, f"on the console: {page.complaints}")
            make_large_record(folder / "large.jsonl")
            large = folder / "large.html"
            start = time.time()
            subprocess.run([WEFTPROF, "-q", "-o", large, "--read", folder / "large.jsonl"], check=True)
            made = time.time() - start
            size = large.stat().st_size / 1e6
            opened = min(page.open(large) for _ in range(3))
            page.click("#tab-timeline")
            expect(not page.complaints, f"on the console: {page.complaints}")
            print(f"10,000 launches of 50 kernels: made in {made:.1f} s, {size:.1f} MB, opened in {opened:.2f} s")
            expect(size < 10, "more than 10 MB")
            expect(opened < 10, "slow even for a machine that others use")
            if PICTURES:
                take_pictures(page, make_report(folder, "// What the guides advise against", guides_kernels()), PICTURES)
        finally:
            page.close()
    print("the page is well")


main()
