const ELEMENT = /<(\/?)(item|member)>/g;

/** Removes from an answer of AWS the outermost list entries that contain one of these ids. */
export function withoutHidden(xml: string, ids: ReadonlySet<string>): string {
  if (ids.size === 0) return xml;
  let [visible, from, depth, start] = ['', 0, 0, 0];
  for (const { index, 0: text, 1: slash } of xml.matchAll(ELEMENT)) {
    if (slash === '') {
      if (depth === 0) start = index;
      depth += 1;
      continue;
    }
    depth -= 1;
    if (depth > 0) continue;
    const end = index + text.length;
    const entry = xml.slice(start, end);
    if ([...ids].some((id) => entry.includes(`>${id}<`))) {
      visible += xml.slice(from, start);
      from = end;
    }
  }
  return visible + xml.slice(from);
}
