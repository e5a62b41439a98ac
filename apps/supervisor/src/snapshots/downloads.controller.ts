import { Get, Param, Res } from '@nestjs/common';
import { everybody, FailsWith, Routes, Sends } from '@libs/http';
import type { Response } from 'express';
import { sendArchive } from './send-archive.js';
import { SnapshotsService } from './snapshots.service.js';

const BY_LINK = 'the link is what opens it: proved, for minutes, and made for who may read the deployment';

@Routes('downloads', 'Diagnostic snapshots', { token: 'The token in the link.' })
export class DownloadsController {
  constructor(private readonly snapshots: SnapshotsService) {}

  /** Returns the archive of a download link from `GET …/snapshots/{snapshot_id}/download`. */
  @Get(':token')
  @Sends(everybody(BY_LINK, { limited: true }), { type: 'application/zip', description: 'The archive.' })
  @FailsWith('download_link_invalid', 'snapshot_not_found')
  async fetch(@Param('token') token: string, @Res() response: Response): Promise<void> {
    await sendArchive(response, await this.snapshots.archive(token));
  }
}
