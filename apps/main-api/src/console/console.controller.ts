import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IgnoresUnknownQuery, Public } from '@libs/http';
import type { Request, Response } from 'express';
import { ConsoleSender } from './console-sender.js';

const A_PAGE = 'the page of the console; what it does, it does by the API';
const A_FILE = 'what the console looks like and runs';

/** The console, a page for browsers over the API. */
@ApiExcludeController()
@IgnoresUnknownQuery()
@Controller()
export class ConsoleController {
  constructor(private readonly console: ConsoleSender) {}

  @Get()
  @Public('leads browsers to the console', { limited: true })
  enter(@Req() request: Request, @Res() response: Response): void {
    this.console.enter(request, response);
  }

  @Get(['console/assets', 'console/assets/*path'])
  @Public(A_FILE)
  asset(@Req() request: Request, @Res() response: Response): void {
    this.console.sendAsset(request, response);
  }

  @Get(['console', 'console/*path'])
  @Public(A_PAGE, { limited: true })
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.console.sendPage(request, response);
  }
}
