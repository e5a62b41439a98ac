/** What a part of a row looks like. */
export type Style = 'plain' | 'title' | 'focused' | 'selected' | 'dim' | 'good' | 'busy' | 'bad' | 'bar';

/** A text in a row, from a column on. The columns begin with 0. The text is plain and as wide as it may be. */
export interface Run {
  column: number;
  text: string;
  style: Style;
}

export type Row = readonly Run[];

const ESCAPE = '\u001b[';
const CODES: Readonly<Record<Style, string>> = {
  ...{ plain: '', title: '1', focused: '1;36', selected: '7', dim: '2', good: '32', busy: '33', bad: '1;31', bar: '7' },
};
const WITHOUT_COLOUR: Partial<Record<Style, string>> = { focused: '1;4', good: '', busy: '', bad: '1' };

/** Makes of each frame what changes the last one: only rows that differ are written. */
export class FrameWriter {
  private last: string[] = [];

  constructor(private readonly hasColour: boolean) {}

  /** Forgets the last frame, because the terminal has another size or was used by another program. */
  reset(): void {
    this.last = [];
  }

  /** Empty when nothing has changed. */
  changes(rows: readonly Row[]): string {
    const texts = rows.map((row) => this.textOf(row));
    const changed = texts.flatMap((text, at) =>
      text === this.last[at] ? [] : [`${ESCAPE}${at + 1};1H${ESCAPE}2K${text}`],
    );
    this.last = texts;
    // The terminal shows the frame at once. A terminal that does not know this ignores it.
    return changed.length === 0 ? '' : `${ESCAPE}?2026h${changed.join('')}${ESCAPE}?2026l`;
  }

  /** Each run has its own column, so a letter whose width the terminal counts in another way moves nothing else. */
  private textOf(row: Row): string {
    return row.map(({ column, text, style }) => `${ESCAPE}${column + 1}G${this.styled(text, style)}`).join('');
  }

  private styled(text: string, style: Style): string {
    const code = this.hasColour ? CODES[style] : (WITHOUT_COLOUR[style] ?? CODES[style]);
    return code === '' ? text : `${ESCAPE}${code}m${text}${ESCAPE}0m`;
  }
}
