import type { ConnectorInstanceId } from '@libs/domain';
import type { NodeHome } from '../../control/node-home.js';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import type { MovedCounts } from '../connector-work.js';
import { CONNECTORS_FILES } from '../connectors-files.js';

type Counts = ReadonlyMap<ConnectorInstanceId, MovedCounts>;

/** Counts change with every batch. A crash of the connectors process loses the changes of this time. */
const KEEP_MS = 3_000;

/** The numbers of messages that plugins have moved. Empty when none ever ran. */
export async function readPluginCounts(home: Pick<NodeHome, 'dir'>): Promise<Counts> {
  const text = await readFileIfAny(CONNECTORS_FILES.pluginsCounts(home));
  try {
    return new Map(JSON.parse(text ?? '[]') as [ConnectorInstanceId, MovedCounts][]);
  } catch {
    return new Map();
  }
}

/** Keeps the numbers over restarts. */
export class PluginCounts {
  private kept = '';
  private keptAtMs = 0;

  constructor(private readonly home: Pick<NodeHome, 'dir'>) {}

  /** Writes only changes, and not often unless this is the `last` call. */
  async keep(counts: Counts, last = false): Promise<void> {
    const text = JSON.stringify([...counts]);
    if (text === this.kept || (!last && Date.now() - this.keptAtMs < KEEP_MS)) return;
    await writePrivateFile(CONNECTORS_FILES.pluginsCounts(this.home), text);
    [this.kept, this.keptAtMs] = [text, Date.now()];
  }
}
