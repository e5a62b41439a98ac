// B1: the same read with the defaults of the Nest CLI: express, passport-headerapikey with a repository lookup,
// ValidationPipe and ParseIntPipe, TypeORM findOne. The bench compiles this file.
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import {
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import headerApiKey from 'passport-headerapikey';
import { Column, Entity, PrimaryColumn, Repository } from 'typeorm';
import { Deployment } from '../../../dist/libs/persistence/src/organization/index.js';

@Entity('api_keys')
class ApiKey {
  @PrimaryColumn('bigint')
  id: number;

  @Column('bytea', { name: 'secret_hash' })
  secretHash: Buffer;

  @Column('bigint', { name: 'tenant_id' })
  tenantId: number;
}

@Injectable()
class KeyStrategy extends PassportStrategy(headerApiKey.HeaderAPIKeyStrategy, 'api-key') {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {
    super({ header: 'ld-api-key', prefix: '' }, false);
  }

  validate(secret: string): Promise<ApiKey | null> {
    return this.keys.findOne({ where: { secretHash: createHash('sha256').update(secret).digest() } });
  }
}

@Controller('tenants/:tenant/divisions/:division/environments/:environment/deployments')
class DeploymentsController {
  constructor(@InjectRepository(Deployment) private readonly deployments: Repository<Deployment>) {}

  @Get(':id')
  @UseGuards(AuthGuard('api-key'))
  async get(
    @Param('tenant', ParseIntPipe) tenantId: number,
    @Param('division', ParseIntPipe) divisionId: number,
    @Param('environment', ParseIntPipe) environmentId: number,
    @Param('id', ParseIntPipe) id: number,
  ): Promise<Deployment> {
    const found = await this.deployments.findOne({
      where: { id, tenant_id: tenantId, division_id: divisionId, environment_id: environmentId },
    });
    if (!found) throw new NotFoundException();
    return found;
  }
}

@Module({
  imports: [
    PassportModule,
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      entities: [ApiKey, Deployment],
      parseInt8: true,
      poolSize: 10,
    }),
    TypeOrmModule.forFeature([ApiKey, Deployment]),
  ],
  controllers: [DeploymentsController],
  providers: [KeyStrategy],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
app.useGlobalPipes(new ValidationPipe());
await app.listen(Number(process.env['PORT']), '127.0.0.1');
