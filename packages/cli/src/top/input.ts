export type Key = 'up' | 'down' | 'pageUp' | 'pageDown' | 'home' | 'end' | 'next' | 'previous' | 'quit' | 'redraw';
export type InputEvent =
  { kind: 'key'; key: Key } | { kind: 'click' | 'wheelUp' | 'wheelDown'; column: number; row: number };

const KEYS: Readonly<Record<string, Key>> = {
  ...{ '\u001b[A': 'up', '\u001bOA': 'up', k: 'up', '\u001b[B': 'down', '\u001bOB': 'down', j: 'down' },
  ...{ '\u001b[5~': 'pageUp', '\u001b[6~': 'pageDown', ' ': 'pageDown' },
  ...{ '\u001b[H': 'home', '\u001bOH': 'home', '\u001b[1~': 'home', g: 'home' },
  ...{ '\u001b[F': 'end', '\u001bOF': 'end', '\u001b[4~': 'end', G: 'end' },
  ...{ '\t': 'next', '\u001b[C': 'next', '\u001bOC': 'next' },
  ...{ '\u001b[Z': 'previous', '\u001b[D': 'previous', '\u001bOD': 'previous' },
  ...{ q: 'quit', Q: 'quit', '\u0003': 'quit', '\u0004': 'quit', '\u000c': 'redraw' },
};
const BUTTONS: Readonly<Record<number, 'click' | 'wheelUp' | 'wheelDown'>> = {
  0: 'click',
  64: 'wheelUp',
  65: 'wheelDown',
};

/** A mouse report (SGR), another sequence, or one letter. */
// eslint-disable-next-line no-control-regex
const NEXT = /^(?:\u001b\[<(\d+);(\d+);(\d+)([Mm])|\u001b\[[0-9;?]*[A-Za-z~]|\u001bO[A-Za-z]|[^])/u;
/** The beginning of a sequence, whose rest comes later. */
// eslint-disable-next-line no-control-regex
const BEGUN = /^\u001b(?:\[(?:<?[0-9;?]*)?|O)?$/;

/** Reads keys and the mouse from what a terminal sends. A sequence can come in several parts. */
export class InputReader {
  private rest = '';

  read(chunk: string): InputEvent[] {
    let text = this.rest + chunk;
    const events: InputEvent[] = [];
    while (text !== '' && !BEGUN.test(text)) {
      const [whole = '', button, column, row, end] = NEXT.exec(text) ?? [];
      if (whole === '') break;
      text = text.slice(whole.length);
      events.push(...(button === undefined ? keyOf(whole) : mouseOf(Number(button), Number(column), Number(row), end)));
    }
    this.rest = text;
    return events;
  }
}

function keyOf(sequence: string): InputEvent[] {
  const key = KEYS[sequence];
  return key === undefined ? [] : [{ kind: 'key', key }];
}

function mouseOf(button: number, column: number, row: number, end: string | undefined): InputEvent[] {
  const kind = BUTTONS[button];
  // `m`: a button was released.
  return kind === undefined || end === 'm' ? [] : [{ kind, column: column - 1, row: row - 1 }];
}
