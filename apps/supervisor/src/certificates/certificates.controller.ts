import { Get, Post } from '@nestjs/common';
import { Accepts, Actor, FailsWith, Reads, Routes, Writes, type ActingCaller } from '@libs/http';
import { type Written } from '@libs/domain';
import { AcceptedOperationView } from '../platform/index.js';
import { CertificatesService } from './certificates.service.js';
import { CertificateView } from './dto/certificate.view.js';

@Routes('deployments/:deployment_id/certificates', 'Certificates')
export class CertificatesController {
  constructor(private readonly certificates: CertificatesService) {}

  /**
   * Reads the certificate that every node of the deployment presents, and the certificate authority that verifies it.
   */
  @Get()
  @Reads('deployment:read', CertificateView)
  @FailsWith('certificate_not_found')
  get(@Actor() actor: ActingCaller): Promise<CertificateView> {
    return this.certificates.get(actor);
  }

  /**
   * Replaces the certificate and the key of every node. Existing connections stay open, and new connections get the new
   * certificate. This API shows the old certificate until the operation has succeeded.
   */
  @Post('rotate')
  @Writes('deployment:manage', 'deployment_certificates_rotated')
  @Accepts(AcceptedOperationView, 'deployment')
  @FailsWith('state_conflict')
  rotate(@Actor() actor: ActingCaller): Promise<Written<AcceptedOperationView>> {
    return this.certificates.rotate(actor);
  }
}
