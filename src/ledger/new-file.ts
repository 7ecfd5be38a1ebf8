export { openWhole, type WholeFile } from '../store/new-whole-file.js'
