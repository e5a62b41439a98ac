import { applyDecorators, Controller, Get, Header, Inject, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Cacheable, IgnoresUnknownQuery, isFromThisMachine, Public } from '@libs/http';
import type { Request } from 'express';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { shownMailFolder } from '../mail/index.js';
import { commandLinePage } from './command-line-page.js';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-assets.js';
import { PageQueryDto } from './page-query.dto.js';
import {
  channelPage,
  forgotPage,
  homePage,
  invitationPage,
  joinRequestPage,
  ownershipTransferPage,
  resetPage,
  signInPage,
  signUpPage,
  unsubscribePage,
  verifyPage,
} from './pages.js';

const A_PAGE = 'a page for people who follow a link; what it does, it does by the API';
const A_FILE = 'what the pages look like and run';

const ServesPage = (): MethodDecorator =>
  applyDecorators(Public(A_PAGE, { limited: true }), Header('content-type', 'text/html; charset=utf-8'));

/** The pages of mailed links and of `landlord login`: simple forms over the API, for users without their own client. */
@ApiExcludeController()
@IgnoresUnknownQuery()
@Controller('pages')
export class PagesController {
  constructor(@Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig) {}

  @Get('verify')
  @ServesPage()
  verify(@Query() { token }: PageQueryDto): string {
    return verifyPage(token);
  }

  @Get('channel')
  @ServesPage()
  channel(@Query() { token }: PageQueryDto): string {
    return channelPage(token);
  }

  @Get('unsubscribe')
  @ServesPage()
  unsubscribe(@Query() { token }: PageQueryDto): string {
    return unsubscribePage(token);
  }

  @Get('reset')
  @ServesPage()
  reset(@Query() { token }: PageQueryDto): string {
    return resetPage(token);
  }

  @Get('forgot')
  @ServesPage()
  forgot(): string {
    return forgotPage();
  }

  @Get('sign_in')
  @ServesPage()
  signIn(@Query() { next }: PageQueryDto): string {
    return signInPage(next);
  }

  @Get('sign_up')
  @ServesPage()
  signUp(@Query() { email }: PageQueryDto, @Req() request: Request): string {
    return signUpPage(email, shownMailFolder(this.config, isFromThisMachine(request)));
  }

  @Get('invitation')
  @ServesPage()
  invitation(@Query() { id }: PageQueryDto): string {
    return invitationPage(id);
  }

  @Get('join_request')
  @ServesPage()
  joinRequest(@Query() { tenant_id, id }: PageQueryDto): string {
    return joinRequestPage(tenant_id, id);
  }

  @Get('ownership_transfer')
  @ServesPage()
  ownershipTransfer(@Query() { id }: PageQueryDto): string {
    return ownershipTransferPage(id);
  }

  @Get('command_line')
  @ServesPage()
  commandLine(@Query() { name, code_challenge, redirect_uri, state }: PageQueryDto): string {
    return commandLinePage({ name, code_challenge, redirect_uri, state });
  }

  @Get('home')
  @ServesPage()
  home(): string {
    return homePage();
  }

  @Get('assets/pages.css')
  @Public(A_FILE)
  @Cacheable()
  @Header('content-type', 'text/css; charset=utf-8')
  style(): string {
    return PAGE_STYLE;
  }

  @Get('assets/pages.js')
  @Public(A_FILE)
  @Cacheable()
  @Header('content-type', 'text/javascript; charset=utf-8')
  script(): string {
    return PAGE_SCRIPT;
  }
}
