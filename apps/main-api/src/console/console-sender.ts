import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { etagOf } from '@libs/http';
import type { Request, Response } from 'express';
import { ConsoleFiles, type ConsoleFile } from './console-files.js';
import { ContentPolicy } from './content-policy.js';
import { sendFile } from './send-file.js';
import { UNBUILT_PAGE } from './unbuilt-page.js';

const UNBUILT: ConsoleFile = {
  type: 'text/html; charset=utf-8',
  variants: [{ encoding: null, body: Buffer.from(UNBUILT_PAGE), etag: etagOf(UNBUILT_PAGE) }],
};

const GUIDE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sends the console and the guides to browsers. */
@Injectable()
export class ConsoleSender {
  constructor(
    private readonly files: ConsoleFiles,
    private readonly policy: ContentPolicy,
  ) {}

  /** Sends the file with the name of the path, or the page: its script shows what the path means. */
  async sendPage(request: Request, response: Response): Promise<void> {
    const file = this.files.find(request.path.slice('/console/'.length));
    response.setHeader('cache-control', 'no-cache');
    if (file) return sendFile(request, response, file);
    response.setHeader('content-security-policy', await this.policy.header());
    sendFile(request, response, this.files.page ?? UNBUILT);
  }

  /** The names of assets contain the hash of their content. @throws DomainError route_not_found */
  sendAsset(request: Request, response: Response): void {
    const file = this.files.find(request.path.slice('/console/'.length));
    if (!file) throw new DomainError('route_not_found', `No route ${request.method} ${request.path}.`);
    response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    sendFile(request, response, file);
  }

  /** A guide has no script but the one that sets its colors. @throws DomainError route_not_found */
  sendGuide(request: Request, response: Response): void {
    const name = request.path.replace(/^\/guides\/?/, '').replace(/\/$/, '');
    const names = name === '' ? ['index'] : [name, `${name}/index`];
    const file = names.map((one) => this.files.find(`guides/${one}.html`)).find((one) => one !== null);
    if (!file) throw new DomainError('route_not_found', `There is no guide ${request.path}. /guides lists all.`);
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('content-security-policy', GUIDE_POLICY);
    sendFile(request, response, file);
  }

  /** A person who opens the address of the API wants the console. @throws DomainError route_not_found for programs */
  enter(request: Request, response: Response): void {
    response.vary('accept');
    if (!(request.headers.accept ?? '').includes('text/html'))
      throw new DomainError('route_not_found', `No route ${request.method} /.`);
    response.writeHead(302, { location: '/console/' }).end();
  }
}
