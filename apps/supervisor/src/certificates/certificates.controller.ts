import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Accepts,
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  OfDeployment,
  RequirePermission,
  Returns,
  type ActingCaller,
  type Answer,
} from '@libs/http';
import { AcceptedOperationView } from '../platform/index.js';
import { CertificatesService } from './certificates.service.js';
import { CertificateView } from './dto/certificate.view.js';

@ApiTags('Certificates')
@Controller('deployments/:deployment_id/certificates')
export class CertificatesController {
  constructor(private readonly certificates: CertificatesService) {}

  /** Reads the certificate that every node of the deployment shows on its ports, and whom to trust to verify it. */
  @Get()
  @RequirePermission('deployment:read')
  @OfDeployment()
  @Returns(CertificateView)
  @FailsWith('certificate_not_found')
  get(@Actor() actor: ActingCaller): Promise<CertificateView> {
    return this.certificates.get(actor);
  }

  /**
   * Gives every node another certificate, with another key. No client is cut: connections go on as they are, and new ones
   * meet the new certificate. The one that is read here is the old one until the operation has succeeded.
   */
  @Post('rotate')
  @RequirePermission('deployment:manage')
  @Idempotent()
  @Audited('deployment_certificates_rotated')
  @OfDeployment()
  @Accepts(AcceptedOperationView, 'deployment')
  @FailsWith('state_conflict')
  rotate(@Actor() actor: ActingCaller): Promise<Answer<AcceptedOperationView>> {
    return this.certificates.rotate(actor);
  }
}
