import { Duplex } from 'node:stream';
import { BrokerError } from '../../control/broker-error.js';
import type { ConnectionObserver } from '../clients/client-session.js';
import { PacketMeter } from './packet-meter.js';
import { PublishPace } from '../rate/publish-pace.js';
import { PublishRuns } from '../rate/publish-runs.js';
import type { PublishRate } from '../rate/publish-rate.js';
import type { Traffic } from '../traffic.js';

/** A client sent a packet above the limit. */
export class PacketTooLarge extends BrokerError {}

/** Bytes to a client that wait for it without a pause of the broker, so that a burst of messages passes at once. */
const MOST_UNSENT_BYTES = 256 * 1024;

/**
 * The stream from a client to the MQTT broker, over TCP or WebSocket. Counts bytes, and refuses packets above the limit,
 * because the broker's own parser would buffer up to 256 MB of one packet. Under a rate, PUBLISH packets wait here, and the
 * transport is not read while they wait.
 */
export class MqttConnection extends Duplex {
  private readonly meter: PacketMeter;
  private readonly framing = new PublishRuns();
  private readonly pace: PublishPace | null;
  private isHolding = false;
  private hasEnded = false;

  constructor(
    private readonly transport: Duplex,
    maxPacketBytes: number,
    private readonly traffic: Traffic,
    /** Absent: another node observes this client. */
    private readonly observer: ConnectionObserver | null = null,
    /** Null: no limit. */
    rate: PublishRate | null = null,
  ) {
    super({ writableHighWaterMark: MOST_UNSENT_BYTES });
    this.meter = new PacketMeter(maxPacketBytes);
    this.pace =
      rate &&
      new PublishPace(
        rate,
        (part) => this.deliver(part),
        () => this.drained(),
      );
    transport.on('data', (chunk: Buffer) => this.receive(chunk));
    transport.once('end', () => this.finishReading());
    transport.once('error', (error) => this.destroy(error));
    transport.once('close', () => this.transportClosed());
  }

  override _read(): void {
    if (!this.isHolding) this.transport.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.traffic.bytesSent += chunk.length;
    this.observer?.sent(chunk);
    // A client that has closed reads no answers to what still waits.
    if (this.isHolding && !this.transport.writable) return callback();
    this.transport.write(chunk, callback);
  }

  /** Combines the many small pieces of a packet into one write. */
  override _writev(pieces: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this._write(Buffer.concat(pieces.map((piece) => piece.chunk)), 'binary', callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.transport.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.pace?.close();
    this.transport.destroy();
    callback(error);
  }

  private receive(chunk: Buffer): void {
    if (!this.meter.accepts(chunk)) {
      this.traffic.bytesReceived += chunk.length;
      this.destroy(new PacketTooLarge('the packet is larger than mqtt.max_packet_size'));
      return;
    }
    if (this.pace === null) return this.deliver(chunk);
    this.isHolding = true;
    this.transport.pause();
    this.pace.take(chunk, this.framing.split(chunk));
  }

  private deliver(chunk: Buffer): void {
    this.traffic.bytesReceived += chunk.length;
    this.observer?.received(chunk);
    if (!this.push(chunk)) this.transport.pause();
  }

  private drained(): void {
    this.isHolding = false;
    if (this.hasEnded) this.push(null);
    else if (this.readableLength < this.readableHighWaterMark) this.transport.resume();
  }

  /** The client has sent its last packets and closed. The broker still gets the packets that wait for the rate. */
  private finishReading(): void {
    this.hasEnded = true;
    if (!this.isHolding) this.push(null);
  }

  private transportClosed(): void {
    if (this.isHolding && this.hasEnded) this.once('end', () => this.destroy());
    else this.destroy();
  }
}
