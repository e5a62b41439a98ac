/** Adds an alternative at the end of a type: `type Kind = | 'one' | 'other';`. */
export const withAlternative = (name, alternative) => (text) =>
  text.replace(
    new RegExp(`(type ${name} =[^;]*)(;)`),
    (_, alternatives, end) => `${alternatives} | ${alternative}${end}`,
  );

/** Adds lines before the only place that starts with `anchor`. */
export const withLinesBefore = (anchor, lines) => (text) =>
  text.split(anchor).length === 2 ? text.replace(anchor, () => `${lines}${anchor}`) : text;
