/**
 * Builds the elements of the page. Topics, client ids and payloads come from clients that may be hostile, so text is set as
 * text only, and never becomes markup.
 */

/** Characters that are invisible, or that change the order of their neighbours. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const HEX_ROW = 16;

export function element(name, { text, children = [], ...properties } = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'onclick') made.addEventListener('click', value);
    else if (key === 'className') made.className = value;
    else made.setAttribute(key, value);
  }
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

/** Text of a client. Invisible characters appear as their code, such as U+202E. */
export function clientText(text, { name = 'span', keepsLines = false } = {}) {
  const shown = element(name, { className: 'text', dir: 'ltr' });
  let at = 0;
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    if (keepsLines && (character === '\n' || character === '\t')) continue;
    shown.append(text.slice(at, index), hiddenCharacter(character));
    at = index + character.length;
  }
  shown.append(text.slice(at));
  return shown;
}

function hiddenCharacter(character) {
  return element('span', { className: 'hidden-character', text: codeOf(character) });
}

const codeOf = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The same as a string, for places without elements. */
export const visibleText = (text) => text.replace(INVISIBLE, codeOf);

/** The start of a payload: text, or bytes in hexadecimal form. */
export function payloadView({ payload, encoding, bytes, is_truncated: isTruncated }) {
  if (bytes === 0) return element('span', { className: 'soft', text: 'empty' });
  const isText = encoding === 'text';
  const body = clientText(isText ? payload : hexOf(payload), { name: 'pre', keepsLines: true });
  if (!isTruncated && isText) return body;
  const note = `${isText ? 'Text' : 'Binary data'} of ${sizeOf(bytes)}${isTruncated ? ', the start of it' : ''}`;
  return element('div', { children: [body, element('small', { className: 'soft', text: note })] });
}

function hexOf(base64) {
  const bytes = Array.from(atob(base64), (character) => character.charCodeAt(0));
  const rows = [];
  for (let at = 0; at < bytes.length; at += HEX_ROW) {
    const row = bytes.slice(at, at + HEX_ROW).map((byte) => byte.toString(16).padStart(2, '0'));
    rows.push(row.join(' '));
  }
  return rows.join('\n');
}

export function sizeOf(bytes) {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

export const countOf = (number, one, many = `${one}s`) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** A moment in the time zone of the browser. */
export function momentOf(iso) {
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date().toDateString();
  const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
  const day = isToday ? {} : { year: 'numeric', month: 'short', day: 'numeric' };
  return element('time', { datetime: iso, title: iso, text: date.toLocaleString('en', { ...day, ...options }) });
}

/** Shows a sentence in a notice of the page, or hides the notice. */
export function notify(notice, text, kind = '') {
  notice.hidden = !text;
  notice.className = `notice ${kind}`;
  notice.textContent = text ?? '';
}
