import type { FakeService } from '../../src/testing/index.js'

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 2))
}

export function effectsOf(service: FakeService, count: number): Promise<void> {
  return until(() => service.effects().length === count)
}
