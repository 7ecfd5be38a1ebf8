import { expect, it } from 'vitest'
import { ownerWords } from '../../src/core/owner-words.js'
import { ownerOf, ownerWithoutProcess } from '../../src/host.js'

it.each([
  ['host/boot/42/ns/1/abc', 'process 42 on host'],
  ['web%2F1~a1b2/boot/42/ns/1/abc.7', 'process 42 on web/1'],
  ['worker-3', 'worker-3'],
  ['a/b', 'a/b'],
  ['%zz/boot/42/ns/1/abc', 'process 42 on %zz'],
  ['/boot/42/ns/1/abc', '/boot/42/ns/1/abc'],
])('names the process of %s', (owner, words) => {
  expect(ownerWords(owner)).toBe(words)
})

it('names this process and this machine, as their owner strings are made', () => {
  expect(ownerWords(ownerOf())).toMatch(new RegExp(`^process ${process.pid} on [^~/]+$`))
  expect(ownerWords(ownerWithoutProcess())).toMatch(/^a process on [^~/]+$/)
})
