import { Module } from '@nestjs/common';
import { ProtectionCodesController } from './protection-codes.controller.js';
import { ProtectionCodes } from './protection-codes.js';
import { ProtectionCodesService } from './protection-codes.service.js';

@Module({
  controllers: [ProtectionCodesController],
  providers: [ProtectionCodesService, ProtectionCodes],
  exports: [ProtectionCodes],
})
export class ProtectionCodesModule {}
