import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiParam, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { FailsWith, Public } from '@libs/http';
import type { Response } from 'express';
import { sendArchive } from './send-archive.js';
import { SnapshotsService } from './snapshots.service.js';

@ApiTags('Diagnostic snapshots')
@Controller('downloads')
export class DownloadsController {
  constructor(private readonly snapshots: SnapshotsService) {}

  /** Returns the archive of a download link from `GET …/snapshots/{snapshot_id}/download`. */
  @Get(':token')
  @Public('the link is what opens it: proved, for minutes, and made for who may read the deployment', { limited: true })
  @ApiParam({ name: 'token', schema: { type: 'string' }, description: 'The token in the link.' })
  @ApiProduces('application/zip')
  @ApiResponse({ status: 200, description: 'The archive.', schema: { type: 'string', format: 'binary' } })
  @FailsWith('download_link_invalid', 'snapshot_not_found')
  async fetch(@Param('token') token: string, @Res() response: Response): Promise<void> {
    await sendArchive(response, await this.snapshots.archive(token));
  }
}
