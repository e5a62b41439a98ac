import { Controller, Get, Header, Param, type StreamableFile } from '@nestjs/common';
import { ApiParam, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { FailsWith, Public } from '@libs/http';
import { SnapshotsService } from './snapshots.service.js';

@ApiTags('Diagnostic snapshots')
@Controller('downloads')
export class DownloadsController {
  constructor(private readonly snapshots: SnapshotsService) {}

  /** The archive that a link of `GET …/snapshots/{snapshot_id}/download` is for. */
  @Get(':token')
  @Public('the link is what opens it: proved, for minutes, and made for who may read the deployment', { limited: true })
  @ApiParam({ name: 'token', schema: { type: 'string' }, description: 'As it stands in the link.' })
  @ApiProduces('application/zip')
  @ApiResponse({ status: 200, description: 'The archive.' })
  @FailsWith('download_link_invalid', 'snapshot_not_found')
  @Header('cache-control', 'no-store')
  fetch(@Param('token') token: string): Promise<StreamableFile> {
    return this.snapshots.archive(token);
  }
}
