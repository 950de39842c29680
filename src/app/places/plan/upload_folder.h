// The folder of stages.upload.to, which is gate's alone.
#pragma once

#include "gate/base/fs.h"

namespace gate::app {

// In a folder whose upload is not whole yet.
inline constexpr const char* upload_mark = ".gate-upload";

// Fail unless results may be uploaded to the folder: nothing stands there, or a folder that is empty, holds
// an upload of gate's, also one that was cut off, or nothing but folders of such.
Status check_upload_folder(const fs::Path& folder);

}  // namespace gate::app
