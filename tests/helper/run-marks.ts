/** In the environment of all that a run of tests starts. */
export const runMark = 'PATCHBAY_TEST_RUN';
/** In the same place: the test file that started it. */
export const fileMark = 'PATCHBAY_TEST_FILE';
/** Prefix of the names of test files' folders. */
export const folderMark = 'of-';
/** Says in such a folder whose it is. */
export const ownerFile = '.test-file';
