import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { DivisionsController } from './divisions.controller.js';
import { DivisionsService } from './divisions.service.js';

@Module({ imports: [TenantsModule], controllers: [DivisionsController], providers: [DivisionsService] })
export class DivisionsModule {}
