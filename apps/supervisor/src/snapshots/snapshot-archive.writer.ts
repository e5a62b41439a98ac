import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { assess, renderReport, type ReportLine, type SnapshotData } from '@libs/diagnostics';
import type { NodeId } from '@libs/domain';
import { ObjectStore } from '@libs/object-store';
import { ZipFile } from 'yazl';
import { archiveLimitBytes } from '../platform/index.js';
import { fileNamePart } from './snapshot-assembly.js';

/** Maximum bytes of report, facts and logs. The data of nodes is added to it. */
const FACTS_LIMIT_BYTES = 1024 ** 3;
const FILE_OPTIONS = { mode: 0o600 } as const;

/** Keys of the nodes' data, by the id of the node. */
export type DataKeys = ReadonlyMap<NodeId, string>;

/** Streams the archive of a snapshot into the store, because the data of nodes may be larger than the memory or disk here. */
@Injectable()
export class SnapshotArchiveWriter {
  constructor(private readonly store: ObjectStore) {}

  /** Returns the size in bytes. Rejects with ObjectStoreError. */
  async write(key: string, data: SnapshotData, dataKeys: DataKeys, signal: AbortSignal): Promise<number> {
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    const fail = (error: Error): void => void output.destroy(error);
    zip.on('error', fail);
    signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true });
    addText(zip, data);
    for (const { id, data_file: file } of data.nodes) {
      const stored = dataKeys.get(id);
      if (file !== null && stored !== undefined) this.addData(zip, file, stored, fail);
    }
    zip.end();
    const storage = data.nodes.reduce((sum, node) => sum + node.storage_size, 0);
    return (await this.store.put(key, output, FACTS_LIMIT_BYTES + archiveLimitBytes(storage))).size_bytes;
  }

  /** Opened only when the writer reaches it. Already a ZIP, so not compressed again. */
  private addData(zip: ZipFile, file: string, key: string, fail: (error: Error) => void): void {
    zip.addReadStreamLazy(file, { ...FILE_OPTIONS, compress: false }, (take) => {
      this.store.get(key).then(
        (stored) => {
          stored.once('error', fail);
          take(null, stored);
        },
        (error: unknown) => fail(error as Error),
      );
    });
  }
}

function addText(zip: ZipFile, data: SnapshotData): void {
  const assessment = assess(data);
  const { logs, ...facts } = data;
  const add = (name: string, text: string): void => zip.addBuffer(Buffer.from(text), name, FILE_OPTIONS);
  add('report.html', renderReport(data, assessment));
  add('data/checks.json', JSON.stringify(assessment, null, 2));
  for (const [name, part] of Object.entries(facts)) add(`data/${name}.json`, JSON.stringify(part, null, 2));
  for (const { node_id: nodeId, runtime, lines } of logs) {
    const name = data.nodes.find(({ id }) => id === nodeId)?.name ?? String(nodeId);
    add(`logs/${fileNamePart(name)}/${runtime}.log`, lines.map(toText).join(''));
  }
}

const toText = ([at, level, message]: ReportLine): string =>
  `${at === null ? '-' : new Date(at).toISOString()} ${level.toUpperCase()} ${message.replaceAll('\n', '\\n')}\n`;
