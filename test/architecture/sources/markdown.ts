/** Links of a Markdown text to files and anchors of the repository, without those in code blocks. */
export function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** Anchors of the headings in a Markdown text, as GitHub creates them: a repeated heading gets a number. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutCode(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) => {
    const slug = slugOf(heading ?? '');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

const withoutCode = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '');

const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
