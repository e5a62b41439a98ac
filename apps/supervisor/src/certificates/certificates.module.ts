import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { DeploymentCertificatesRepository } from '@libs/persistence/runtime';
import { CertificatesController } from './certificates.controller.js';
import { CertificatesService } from './certificates.service.js';

@Module({
  imports: [PersistenceModule.forFeature([DeploymentCertificatesRepository])],
  controllers: [CertificatesController],
  providers: [CertificatesService],
})
export class CertificatesModule {}
