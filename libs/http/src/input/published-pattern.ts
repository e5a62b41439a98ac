/** Classes whose meaning differs between languages, by their ASCII characters. */
const ASCII: Readonly<Record<string, string>> = { '\\d': '0-9', '\\w': 'A-Za-z0-9_' };

/**
 * Returns the source of a pattern as the API publishes it: RE2, Python and ECMAScript read it alike. Python takes `\d` and `\w` for
 * all digits and letters of Unicode.
 */
export function publishedPattern({ source }: RegExp): string {
  let isInClass = false;
  return source.replace(/\\.|[[\]]/gs, (token) => {
    if (token === '[') isInClass = true;
    if (token === ']') isInClass = false;
    if (token === '\\/') return '/';
    const ascii = ASCII[token];
    if (ascii === undefined) return token;
    return isInClass ? ascii : `[${ascii}]`;
  });
}
