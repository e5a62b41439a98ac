/** Characters that nobody sees, or that turn text around. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;

/** The payload of a message as text. A payload that is no text stays base64. */
export function textOf(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.replaceAll(UNSEEN, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
  } catch {
    return base64;
  }
}
