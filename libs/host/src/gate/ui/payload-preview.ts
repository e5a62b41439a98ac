/** Bytes of a payload that the page shows. */
export const PREVIEW_BYTES = 4 * 1024;

/** The start of a payload, as JSON for the page. Text if it is valid UTF-8, otherwise base64. */
export interface PayloadPreview {
  payload: string;
  encoding: 'text' | 'base64';
  /** Length of the whole payload. */
  bytes: number;
  is_truncated: boolean;
}

/** `start` has at least the first bytes of the payload. */
export function previewOf(start: Buffer, bytes: number = start.length): PayloadPreview {
  const preview = start.subarray(0, PREVIEW_BYTES);
  const isTruncated = bytes > preview.length;
  const text = textOf(preview, isTruncated);
  return text === null
    ? { payload: preview.toString('base64'), encoding: 'base64', bytes, is_truncated: isTruncated }
    : { payload: text, encoding: 'text', bytes, is_truncated: isTruncated };
}

/** Null for other bytes than UTF-8. A truncated payload may end within a character. */
function textOf(bytes: Buffer, isTruncated: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isTruncated });
  } catch {
    return null;
  }
}
