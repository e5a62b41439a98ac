import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ConnectorInstanceId } from '@libs/domain';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  InTransaction,
  NoContent,
  OfTheDeployment,
  PageQuery,
  PathId,
  PreparesFirst,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  type ActingCaller,
  type Page,
  type Prepared,
} from '@libs/http';
import { DeadLettersService } from './dead-letters.service.js';
import { DeadLetterCountView, DeadLetterView } from './dto/dead-letter.view.js';
import { ReplayDeadLettersDto } from './dto/replay-dead-letters.dto.js';

@ApiTags('Connectors')
@Controller('deployments/:deployment_id/connectors/instances/:connector_instance_id/dead_letters')
export class DeadLettersController {
  constructor(private readonly letters: DeadLettersService) {}

  /**
   * Lists the messages that the destination of a sink refused for good, oldest first. The node keeps at most 10,000
   * messages of all its sinks, for seven days.
   */
  @Get()
  @RequirePermission('deployment:connector:read')
  @OfTheDeployment('connector_instance', 'The instance.')
  @ReturnsPageOf(DeadLetterView)
  @FailsWith('node_not_responding', 'state_conflict')
  list(
    @Actor() actor: ActingCaller,
    @PathId('connector_instance_id') id: ConnectorInstanceId,
    @Query() query: PageQuery,
  ): Promise<Page<DeadLetterView>> {
    return this.letters.list(actor, id, query);
  }

  /** Delivers refused messages again. A message that is refused again stays, with one more attempt. */
  @Post('replay')
  @HttpCode(200)
  @RequirePermission('deployment:connector:manage')
  @Idempotent()
  @PreparesFirst()
  @Audited('dead_letters_replayed')
  @OfTheDeployment('connector_instance', 'The instance.')
  @Returns(DeadLetterCountView)
  @FailsWith('node_not_responding', 'state_conflict')
  replay(
    @Actor() actor: ActingCaller,
    @PathId('connector_instance_id') id: ConnectorInstanceId,
    @Body() dto: ReplayDeadLettersDto,
  ): Promise<Prepared<DeadLetterCountView>> {
    return this.letters.replay(actor, id, dto.ids ?? null);
  }

  /** Deletes all refused messages of an instance. */
  @Delete()
  @RequirePermission('deployment:connector:manage')
  @InTransaction()
  @PreparesFirst()
  @Audited('dead_letters_deleted')
  @OfTheDeployment('connector_instance', 'The instance.')
  @NoContent()
  @FailsWith('node_not_responding', 'state_conflict')
  delete(
    @Actor() actor: ActingCaller,
    @PathId('connector_instance_id') id: ConnectorInstanceId,
  ): Promise<Prepared<void>> {
    return this.letters.delete(actor, id);
  }
}
