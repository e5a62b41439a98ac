import { Get, Query, Req, Res } from '@nestjs/common';
import { everybody, IgnoresUnknownQuery, Routes, Sends } from '@libs/http';
import type { Request, Response } from 'express';
import { consolePage, PAGE_NAMES } from './console-page.js';
import { PageQueryDto } from './page-query.dto.js';

/** Links of mails and command lines from the time before the console. */
@IgnoresUnknownQuery()
@Routes('pages', null)
export class PagesController {
  @Get(PAGE_NAMES)
  @Sends(everybody('leads a link of an older mail to its page in the console', { limited: true }))
  lead(@Req() request: Request, @Query() query: PageQueryDto, @Res() response: Response): void {
    const name = PAGE_NAMES.find((page) => request.path === `/pages/${page}`) ?? 'home';
    response.writeHead(302, { location: consolePage(name, query) }).end();
  }
}
