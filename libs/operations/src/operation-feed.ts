import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { OperationId } from '@libs/domain';
import { EventFeed, Shutdown, type FeedRequest, type OpenStream } from '@libs/http';
import { Notifications } from '@libs/persistence';
import { OperationEventsRepository, type OperationEventRow, type StreamPosition } from '@libs/persistence/platform';

const LOOK_MS = 250;

export interface StreamRequest extends StreamPosition, FeedRequest {}

/** The open streams of operations in this process. */
@Injectable()
export class OperationFeed extends EventFeed<StreamRequest> implements OnApplicationBootstrap {
  constructor(
    private readonly events: OperationEventsRepository,
    private readonly notifications: Notifications,
    shutdown: Shutdown,
  ) {
    super('OperationFeed', LOOK_MS, shutdown);
  }

  onApplicationBootstrap(): void {
    this.notifications.on('landlord_operations', () => void this.look());
    this.notifications.on('landlord_access', () => this.recheckAll());
  }

  async hasEventsAfter(operationId: OperationId, seq: number): Promise<boolean> {
    return (await this.events.after([{ operationId, seq }])).length > 0;
  }

  protected async tell(streams: readonly OpenStream<StreamRequest>[]): Promise<void> {
    const events = await this.events.after(streams);
    for (const stream of streams) for (const event of events) tellOne(stream, event);
  }
}

/** The event may have been read for another, slower stream of the same operation. Each stream gets an event only once. */
function tellOne(stream: OpenStream<StreamRequest>, event: OperationEventRow): void {
  if (event.operation_id !== stream.operationId || event.seq <= stream.seq) return;
  stream.seq = event.seq;
  const { step, status, attempt, detail, at } = event;
  stream.subscriber.next({
    id: String(event.seq),
    type: event.event,
    data: { step, status, attempt, detail, at: at.toISOString() },
  });
  if (event.event === 'ended') stream.subscriber.complete();
}
