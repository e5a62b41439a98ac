/** Whether each test file gets new modules of this repository. Otherwise the files of a worker share them: that is faster. */
exports.IS_ISOLATED = Boolean(process.env.TEST_ISOLATED);
