import { CommandError, EXIT } from '../exit.js';
import { ENVIRONMENT } from '../settings/config.js';
import { openSession, type CommonOptions } from '../settings/session.js';
import { Feed } from './feed.js';
import { act } from './keys.js';
import type { InputEvent } from './input.js';
import { State } from './state.js';
import { openScreen, requireTerminal, type Screen } from './terminal.js';
import { plain } from '../output/plain-text.js';
import { rowsOf } from './view.js';

/** At most ten frames a second. */
const FRAME_MS = 100;
const CLOCK_MS = 1_000;

/** Shows the screen until the person ends it. @throws CommandError without a terminal, LandlordError when the key is refused */
export async function landlordTop(options: CommonOptions): Promise<void> {
  requireTerminal();
  const { landlord } = openSession(options, {});
  // A wrong key or address is reported before the screen changes.
  const { name } = await landlord.tenants.getStructure();
  const top = new Top(new State(plain(name)));
  const feed = new Feed(landlord, top.state, top.onChange, top.ended);
  await top.show(feed);
}

class Top {
  private readonly end = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private screen: Screen | null = null;
  private signal: NodeJS.Signals | null = null;

  constructor(readonly state: State) {}

  get ended(): AbortSignal {
    return this.end.signal;
  }

  /** Several changes are one frame. */
  readonly onChange = (): void => {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.draw();
    }, FRAME_MS);
  };

  async show(feed: Feed): Promise<void> {
    const onEnd = (signal: NodeJS.Signals): void => {
      this.signal = signal;
      this.end.abort();
    };
    const onInput = (event: InputEvent): void => this.take(event, feed);
    this.screen = openScreen({ onInput, onResize: this.onChange, onEnd }, ENVIRONMENT.hasColour);
    const clock = setInterval(this.onChange, CLOCK_MS);
    try {
      this.draw();
      await feed.run();
    } finally {
      clearInterval(clock);
      if (this.timer !== null) clearTimeout(this.timer);
      this.end.abort();
      this.screen.close();
    }
    if (this.signal !== null) throw new CommandError(`Ended by ${this.signal}.`, EXIT.interrupted);
  }

  private take(event: InputEvent, feed: Feed): void {
    if (event.kind === 'key' && event.key === 'quit') return this.end.abort();
    const before = this.state.selectedId;
    if (this.screen) act(this.state, this.screen, event);
    if (this.state.selectedId !== before) feed.selectionChanged();
    this.onChange();
  }

  private draw(): void {
    if (this.screen) this.screen.draw(rowsOf(this.state, this.screen, new Date()));
  }
}
