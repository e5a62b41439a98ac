/** What happens to a block: it runs, it runs where its programs are, or it only shows something. */
export type Mark = 'run' | 'shows' | { needs: string[] };

/** A block of code of a page: what stands between two fences. */
export interface Block {
  /** The line of its fence, from 1. */
  line: number;
  /** The first word after the fence, such as `sh`. */
  language: string;
  /** Null: no mark, or none that there is. */
  mark: Mark | null;
  text: string;
}

const FENCED = /^( *)```(.*)\n([^]*?)^ *```$/gm;

/** The blocks of a page. A fence has a language and a mark: `sh run`, `sh needs=docker,curl`, `text shows`. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(FENCED)].map(({ index, 1: indent = '', 2: info = '', 3: body = '' }) => {
    const [language = '', ...marks] = info.trim().split(/ +/);
    return {
      line: page.slice(0, index).split('\n').length,
      language,
      mark: marks.length === 1 ? markOf(marks[0] ?? '') : null,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    };
  });
}

function markOf(word: string): Mark | null {
  if (word === 'run' || word === 'shows') return word;
  const [, programs] = /^needs=([\w.-]+(?:,[\w.-]+)*)$/.exec(word) ?? [];
  return programs === undefined ? null : { needs: programs.split(',') };
}
