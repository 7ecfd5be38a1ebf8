import { writeSync } from 'node:fs'
import { crashPoint } from '../../src/testing/index.js'

for (let n = 0; n < 3; n++) {
  writeSync(1, 'before\n')
  crashPoint('after_work')
  writeSync(1, 'after\n')
}
