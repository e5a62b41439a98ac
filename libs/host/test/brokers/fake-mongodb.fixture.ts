import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { BSON } from 'mongodb';

type Document = Record<string, unknown>;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;

/**
 * A contract fake of MongoDB's wire protocol (OP_QUERY for the first hello, OP_MSG after it), made from its documentation.
 * Knows the commands that the sink uses. `hosts` makes it a secondary that announces other members.
 */
export class FakeMongodb {
  readonly documents: Document[] = [];
  readonly collections = new Set<string>(['events']);
  /** Members that a hello announces. Null: a standalone server. */
  hosts: string[] | null = null;
  /** The error of an insert for a document. Null: it is stored. */
  refuses: (document: { payload?: unknown }) => { code: number; errmsg: string } | null = () => null;
  /** The error of every command except hello. */
  failure: { code: number; errmsg: string } | null = null;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor() {
    this.server = createServer((socket) => this.serve(socket));
  }

  static async start(): Promise<FakeMongodb> {
    const fake = new FakeMongodb();
    fake.server.listen(0, '127.0.0.1');
    await once(fake.server, 'listening');
    return fake;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    let bytes = Buffer.alloc(0);
    socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= HEADER && bytes.length >= bytes.readInt32LE(0)) {
        const message = bytes.subarray(0, bytes.readInt32LE(0));
        bytes = bytes.subarray(message.length);
        socket.write(this.answer(message));
      }
    });
  }

  private answer(message: Buffer): Buffer {
    const [id, code] = [message.readInt32LE(4), message.readInt32LE(12)];
    if (code === OP_QUERY) {
      const name = message.indexOf(0, HEADER + 4) + 1;
      const reply = BSON.serialize(this.perform(BSON.deserialize(message.subarray(name + 8))));
      const head = Buffer.alloc(20);
      head.writeInt32LE(8, 0);
      head.writeInt32LE(1, 16);
      return framed(OP_REPLY, id, Buffer.concat([head, reply]));
    }
    const reply = BSON.serialize(this.perform(commandOf(message)));
    return framed(OP_MSG, id, Buffer.concat([Buffer.alloc(4), Buffer.from([0]), reply]));
  }

  private perform(command: Document): Document {
    const [name = ''] = Object.keys(command);
    if (/^(hello|ismaster)$/i.test(name)) return this.hello();
    if (this.failure) return { ok: 0, ...this.failure };
    if (name === 'insert') return this.insert(command);
    if (name === 'create') this.collections.add(String(command['create']));
    if (name !== 'listCollections') return { ok: 1 };
    const { name: wanted } = (command['filter'] ?? {}) as { name?: string };
    const firstBatch = [...this.collections]
      .filter((one) => one === wanted)
      .map((one) => ({ name: one, type: 'collection' }));
    return { ok: 1, cursor: { id: BSON.Long.fromNumber(0), ns: 'shop.$cmd.listCollections', firstBatch } };
  }

  private hello(): Document {
    const common = {
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      maxWireVersion: 25,
    };
    const times = {
      minWireVersion: 0,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: 30,
      readOnly: false,
      helloOk: true,
    };
    if (this.hosts === null) return { ok: 1, isWritablePrimary: true, ismaster: true, ...common, ...times };
    const [primary] = this.hosts;
    return {
      ...{ ok: 1, isWritablePrimary: false, ismaster: false, secondary: true, setName: 'rs', setVersion: 1 },
      ...{ hosts: this.hosts, primary, me: this.hosts[1], ...common, ...times },
    };
  }

  private insert(command: Document): Document {
    const documents = command['documents'] as Document[];
    const writeErrors = documents.flatMap((document, index) => {
      const isKnown = this.documents.some(({ _id }) => _id === document['_id']);
      const duplicate = {
        code: 11_000,
        errmsg: `E11000 duplicate key error collection: shop.events index: _id_ dup key`,
      };
      const error = isKnown ? duplicate : this.refuses(document);
      if (error === null) this.documents.push(document);
      return error === null ? [] : [{ index, ...error }];
    });
    return { ok: 1, n: documents.length - writeErrors.length, ...(writeErrors.length > 0 && { writeErrors }) };
  }
}

/** The command of an OP_MSG: its body, with the sequences of documents in their places. */
function commandOf(message: Buffer): Document {
  let [command, at]: [Document, number] = [{}, HEADER + 4];
  while (at < message.length) {
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (kind === 0) command = { ...BSON.deserialize(section), ...command };
    else {
      const end = section.indexOf(0, 4);
      const documents: Document[] = [];
      for (let place = end + 1; place < section.length; place += section.readInt32LE(place))
        documents.push(BSON.deserialize(section.subarray(place, place + section.readInt32LE(place))));
      command = { ...command, [section.toString('utf8', 4, end)]: documents };
    }
    at += 1 + size;
  }
  const [first, ...rest] = Object.entries(command).sort(
    ([, a], [, b]) => Number(Array.isArray(a)) - Number(Array.isArray(b)),
  );
  return Object.fromEntries(first ? [first, ...rest] : []);
}

function framed(code: number, respondsTo: number, body: Buffer): Buffer {
  const head = Buffer.alloc(HEADER);
  head.writeInt32LE(HEADER + body.length, 0);
  head.writeInt32LE(1, 4);
  head.writeInt32LE(respondsTo, 8);
  head.writeInt32LE(code, 12);
  return Buffer.concat([head, body]);
}
