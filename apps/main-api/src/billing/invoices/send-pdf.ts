import type { Response } from 'express';
import type { PrintedInvoice } from './invoice-pdf.js';

/** Shown by a browser, saved under its name by whoever saves it; kept by no cache. */
export function sendPdf(response: Response, { name, pdf }: PrintedInvoice): void {
  response.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': pdf.length,
    'content-disposition': `inline; filename="${name}"`,
    'cache-control': 'private, no-store',
  });
  response.end(response.req.method === 'HEAD' ? undefined : pdf);
}
