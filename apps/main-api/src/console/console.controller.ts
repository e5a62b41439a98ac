import { Get, Req, Res } from '@nestjs/common';
import { everybody, IgnoresUnknownQuery, Routes, Sends } from '@libs/http';
import type { Request, Response } from 'express';
import { ConsoleSender } from './console-sender.js';

const A_PAGE = 'the page of the console; what it does, it does by the API';
/** The console, a page for browsers over the API. */
@IgnoresUnknownQuery()
@Routes('/', null)
export class ConsoleController {
  constructor(private readonly console: ConsoleSender) {}

  @Get()
  @Sends(everybody('leads browsers to the console', { limited: true }))
  enter(@Req() request: Request, @Res() response: Response): void {
    this.console.enter(request, response);
  }

  @Get(['console/assets', 'console/assets/*path'])
  @Sends(everybody('what the console looks like and runs'))
  asset(@Req() request: Request, @Res() response: Response): void {
    this.console.sendAsset(request, response);
  }

  @Get(['console', 'console/*path'])
  @Sends(everybody(A_PAGE, { limited: true }))
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.console.sendPage(request, response);
  }

  @Get(['guides', 'guides/*path'])
  @Sends(everybody('the documents of this release', { limited: true }))
  guide(@Req() request: Request, @Res() response: Response): void {
    this.console.sendGuide(request, response);
  }
}
