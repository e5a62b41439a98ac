import type { Response } from 'express';
import type { PrintedInvoice } from './invoice-pdf.js';

/** Sends a PDF that browsers show and save under its name. No cache may store it. */
export function sendPdf(response: Response, { name, pdf }: PrintedInvoice): void {
  response.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': pdf.length,
    'content-disposition': `inline; filename="${name}"`,
    'cache-control': 'private, no-store',
  });
  response.end(response.req.method === 'HEAD' ? undefined : pdf);
}
