"""The links of the documentation: files, pictures and headings that README.md and docs/ link to are there; addresses of the web are well-formed,
no more, as tests need no network.

    docs_links.py [SOURCE FOLDER]
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)")



def anchors(file):
    """As GitHub and GitLab make them of headings."""
    found, seen = set(), {}
    text = re.sub(r"^```.*?^```[^\n]*$", "", file.read_text(), flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", text, flags=re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(name if name not in seen else f"{name}-{seen[name]}")
        seen[name] = seen.get(name, 0) + 1
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def main():
    files = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("c*/**/README.md")), ROOT / "packaging/python/README.md"]
    links, broken = 0, []
    for file in files:
        # A link may have code in its text.
        for target in LINK.findall(re.sub(r"^```.*?^```[^\n]*$", "", file.read_text(), flags=re.M | re.S)):
            links += 1
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                if not re.match(r"(https?://[\w.-]+\.\w+(/\S*)?|mailto:\S+@\S+)$", target):
                    broken.append(f"{file.relative_to(ROOT)}: {target} is no address")
                continue
            to = (file.parent / path).resolve() if path else file
            if not to.exists():
                broken.append(f"{file.relative_to(ROOT)}: {target}: no such file")
            elif anchor and to.suffix == ".md" and anchor not in anchors(to):
                broken.append(f"{file.relative_to(ROOT)}: {target}: no such heading")
    print(f"{links} links of {len(files)} pages, {len(broken)} broken", *broken, sep="\n")
    return bool(broken)


if __name__ == "__main__":
    sys.exit(main())
