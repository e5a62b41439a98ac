import { Duplex } from 'node:stream';
import { BrokerError } from '../broker-error.js';
import { PacketMeter } from './packet-meter.js';
import type { Traffic } from './traffic.js';

/**
 * The stream from a client to the MQTT broker, over TCP or WebSocket. Counts bytes, and refuses packets above the limit,
 * because the broker's own parser would buffer up to 256 MB of one packet.
 */
export class MqttConnection extends Duplex {
  private readonly meter: PacketMeter;

  constructor(
    private readonly transport: Duplex,
    maxPacketBytes: number,
    private readonly traffic: Traffic,
  ) {
    super();
    this.meter = new PacketMeter(maxPacketBytes);
    transport.on('data', (chunk: Buffer) => this.receive(chunk));
    transport.once('end', () => this.push(null));
    transport.once('error', (error) => this.destroy(error));
    transport.once('close', () => this.destroy());
  }

  override _read(): void {
    this.transport.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.traffic.bytesSent += chunk.length;
    this.transport.write(chunk, done);
  }

  /** Combines the many small pieces of a packet into one write. */
  override _writev(pieces: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(pieces.map((piece) => piece.chunk)), 'binary', done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.transport.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.transport.destroy();
    done(error);
  }

  private receive(chunk: Buffer): void {
    this.traffic.bytesReceived += chunk.length;
    if (!this.meter.accepts(chunk)) {
      this.destroy(new BrokerError('the packet is larger than mqtt.max_packet_size'));
      return;
    }
    if (!this.push(chunk)) this.transport.pause();
  }
}
