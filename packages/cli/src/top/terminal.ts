import { writeSync } from 'node:fs';
import { usage } from '../exit.js';
import { FrameWriter, type Row } from './frame.js';
import { InputReader, type InputEvent } from './input.js';

/** The screen of a person, for a whole program. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  draw(rows: readonly Row[]): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

export interface ScreenEvents {
  onInput: (event: InputEvent) => void;
  onResize: () => void;
  /** The terminal was closed, or another process ends this one. */
  onEnd: (signal: NodeJS.Signals) => void;
}

const STDOUT = 1;
/** Another screen without a cursor and without wrapped lines, and reports of buttons of the mouse (1000) in the form SGR (1006). */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?1000h\u001b[?1006h\u001b[2J';
const LEAVE = '\u001b[?2026l\u001b[?1006l\u001b[?1000l\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l';
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** @throws CommandError without a terminal */
export function requireTerminal(): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw usage('landlord top needs a terminal on stdin and stdout.', 'landlord deployments list-all -o json');
}

/** Takes the terminal until `close`, or until the process ends. */
export function openScreen(events: ScreenEvents, hasColour: boolean): Screen {
  const { stdin, stdout } = process;
  const [writer, reader] = [new FrameWriter(hasColour), new InputReader()];
  let isOpen = true;
  const restore = (): void => {
    if (!isOpen) return;
    isOpen = false;
    stdin.setRawMode(false);
    // The process can end before an asynchronous write.
    writeNow(LEAVE);
  };
  const onData = (chunk: string): void => reader.read(chunk).forEach((event) => handled(event, writer, events));
  const onResize = (): void => {
    writer.reset();
    stdout.write('\u001b[2J');
    events.onResize();
  };
  const stop = followProcess(restore, events.onEnd);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8').on('data', onData).resume();
  stdout.on('resize', onResize).write(ENTER);
  return {
    get columns() {
      return stdout.columns;
    },
    get rows() {
      return stdout.rows;
    },
    draw: (rows) => void (isOpen && stdout.write(writer.changes(rows))),
    close: () => {
      restore();
      stop();
      stdin.off('data', onData).pause();
      stdout.off('resize', onResize);
    },
  };
}

function handled(event: InputEvent, writer: FrameWriter, events: ScreenEvents): void {
  if (event.kind === 'key' && event.key === 'redraw') writer.reset();
  events.onInput(event);
}

/**
 * Gives the terminal back before the process ends. Node calls the listener of `exit` also for an error that nobody catches, before Node
 * prints the error.
 */
function followProcess(restore: () => void, onEnd: ScreenEvents['onEnd']): () => void {
  process.on('exit', restore);
  for (const signal of SIGNALS) process.on(signal, onEnd);
  return () => {
    process.off('exit', restore);
    for (const signal of SIGNALS) process.off(signal, onEnd);
  };
}

function writeNow(text: string): void {
  try {
    writeSync(STDOUT, text);
  } catch {
    // The terminal is closed, or takes nothing at this moment.
  }
}
