import { fieldOf, someText } from '../field.js'
import { headersOf } from './response-facts.js'

/** The canonical codes by number: grpc/doc/statuscodes.md. */
export const GRPC_CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const
export type GrpcCode = (typeof GRPC_CODES)[number]

export interface GrpcFacts {
  readonly code: GrpcCode
  readonly details: string
  /** by lower-case name */
  readonly metadata: Readonly<Record<string, string>>
}

/** The status a gRPC client gives: a code by number with its metadata (@grpc/grpc-js, nice-grpc, Connect). */
export function grpcIn(thrown: unknown): GrpcFacts | null {
  const number = fieldOf(thrown, 'code')
  const metadata = fieldOf(thrown, 'metadata')
  if (typeof number !== 'number' || number < 1 || typeof metadata !== 'object' || metadata === null)
    return null
  const code = GRPC_CODES[number]
  if (code === undefined) return null
  const details = someText(fieldOf(thrown, 'details')) ?? someText(fieldOf(thrown, 'rawMessage')) ?? ''
  return { code, details, metadata: headersOf(mapOf(metadata)) }
}

/** `Metadata` of @grpc/grpc-js answers `getMap()`; others are Headers or objects. */
function mapOf(metadata: object): unknown {
  try {
    const getMap: unknown = Reflect.get(metadata, 'getMap')
    return typeof getMap === 'function' ? Reflect.apply(getMap, metadata, []) : metadata
  } catch {
    return null
  }
}
