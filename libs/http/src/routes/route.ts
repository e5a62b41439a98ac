import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

/** A route says too little, or what its path contradicts. A bug of the route: the app does not start. */
export class RouteFault extends Error {}

/** A handler of a controller with its declarations, while the controller is declared. */
export class Route {
  private readonly descriptor: PropertyDescriptor;

  private constructor(
    readonly controller: Type,
    readonly name: string,
    private readonly prefixes: readonly string[],
  ) {
    this.descriptor = Object.getOwnPropertyDescriptor(controller.prototype, name) ?? {};
  }

  /** Returns the routes of a controller. */
  static allOf(controller: Type, prefixes: readonly string[]): Route[] {
    return Object.getOwnPropertyNames(controller.prototype)
      .map((name) => new Route(controller, name, prefixes))
      .filter((route) => route.read(METHOD_METADATA) !== undefined);
  }

  get isRead(): boolean {
    return this.read(METHOD_METADATA) === RequestMethod.GET;
  }

  get isDelete(): boolean {
    return this.read(METHOD_METADATA) === RequestMethod.DELETE;
  }

  /** All paths of the route, without slashes around them. */
  get paths(): string[] {
    const paths = [this.read<string | string[]>(PATH_METADATA) ?? ''].flat();
    return this.prefixes.flatMap((prefix) => paths.map((path) => joined(prefix, path)));
  }

  /** The parameters of the paths. A backslash before a colon makes it a part of the text. */
  get parameters(): string[] {
    const names = this.paths.flatMap((path) => [...path.matchAll(/(?<!\\):(\w+)/g)]).map(([, name]) => name ?? '');
    return [...new Set(names)];
  }

  /** Returns what a decorator has declared. */
  read<T>(key: string | symbol): T | undefined {
    const handler: unknown = this.descriptor.value;
    return typeof handler === 'function' ? (Reflect.getMetadata(key, handler) as T | undefined) : undefined;
  }

  declare(...decorators: MethodDecorator[]): void {
    for (const decorator of decorators) decorator(this.controller.prototype as object, this.name, this.descriptor);
  }

  fault(problem: string): RouteFault {
    return new RouteFault(`${this.controller.name}.${this.name} ${problem}`);
  }
}

const joined = (...parts: string[]): string =>
  parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/');
