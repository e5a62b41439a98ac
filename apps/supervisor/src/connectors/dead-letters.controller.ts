import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import type { ConnectorInstanceId } from '@libs/domain';
import {
  Actor,
  FailsWith,
  Lists,
  PageQuery,
  PathId,
  PreparesFirst,
  Returns,
  Routes,
  Writes,
  type ActingCaller,
  type Page,
  type Prepared,
} from '@libs/http';
import { DeadLettersService } from './dead-letters.service.js';
import { DeadLetterCountView, DeadLetterView } from './dto/dead-letter.view.js';
import { ReplayDeadLettersDto } from './dto/replay-dead-letters.dto.js';

@Routes('deployments/:deployment_id/connectors/instances/:connector_instance_id/dead_letters', 'Connectors', {
  connector_instance_id: 'The instance.',
})
export class DeadLettersController {
  constructor(private readonly letters: DeadLettersService) {}

  /**
   * Lists the messages that the destination of a sink refused for good, oldest first. The node keeps at most 10,000
   * messages of all its sinks, for seven days.
   */
  @Get()
  @Lists('deployment:connector:read', DeadLetterView)
  @FailsWith('node_not_responding', 'state_conflict')
  list(
    @Actor() actor: ActingCaller,
    @PathId() id: ConnectorInstanceId,
    @Query() query: PageQuery,
  ): Promise<Page<DeadLetterView>> {
    return this.letters.list(actor, id, query);
  }

  /** Delivers refused messages again. A message that is refused again stays, with one more attempt. */
  @Post('replay')
  @Writes('deployment:connector:manage', 'dead_letters_replayed')
  @PreparesFirst()
  @Returns(DeadLetterCountView)
  @FailsWith('node_not_responding', 'state_conflict')
  replay(
    @Actor() actor: ActingCaller,
    @PathId() id: ConnectorInstanceId,
    @Body() dto: ReplayDeadLettersDto,
  ): Promise<Prepared<DeadLetterCountView>> {
    return this.letters.replay(actor, id, dto.ids ?? null);
  }

  /** Deletes all refused messages of an instance. */
  @Delete()
  @Writes('deployment:connector:manage', 'dead_letters_deleted')
  @PreparesFirst()
  @FailsWith('node_not_responding', 'state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId() id: ConnectorInstanceId): Promise<Prepared<void>> {
    return this.letters.delete(actor, id);
  }
}
