import { Transform, type TransformCallback } from 'node:stream';
import { PublishPace } from '../../../gate/rate/publish-pace.js';
import type { PublishRate } from '../../../gate/rate/publish-rate.js';

/** A body with messages that passes at the rate of the deployment. */
export class PacedBody extends Transform {
  private readonly pace: PublishPace;
  private done: TransformCallback = () => undefined;

  constructor(rate: PublishRate) {
    super();
    this.pace = new PublishPace(
      rate,
      (part) => this.push(part),
      () => this.done(),
    );
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.done = callback;
    this.pace.take(chunk, [{ isPublish: true, bytes: chunk.length }]);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.pace.close();
    callback(error);
  }
}
