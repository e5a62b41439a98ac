import { ApiProperty } from '@nestjs/swagger';

const TIME = { type: 'string' as const, format: 'date-time' };

export const CERTIFICATE_STATUSES = ['valid', 'expiring', 'expired'] as const;

/** The certificate that the nodes of a deployment present to clients by TLS. */
export class CertificateView {
  /** Serial number in hexadecimal, the form that TLS tools show. */
  serial: string;

  @ApiProperty({ type: [String], description: 'Domain names and addresses that the certificate is valid for.' })
  names: string[];

  /** Start of the validity. */
  @ApiProperty(TIME)
  not_before: string;

  /** End of the validity. */
  @ApiProperty(TIME)
  not_after: string;

  /** Time at which the certificate was issued. */
  @ApiProperty(TIME)
  issued_at: string;

  @ApiProperty({ enum: [...CERTIFICATE_STATUSES], description: '`expiring`: the certificate expires within 14 days.' })
  status: (typeof CERTIFICATE_STATUSES)[number];

  /** PEM of the certificate authority. With this certificate a client can verify every node of the installation. */
  ca_certificate: string;
}
